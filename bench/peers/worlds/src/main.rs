//! The row of worlds with bevy_ggrs: what saving and loading a world of units takes, of 88 bytes in eight components.
//! Each component is registered to be copied, which is the fastest of the strategies.

use bevy::MinimalPlugins;
use bevy::prelude::*;
use bevy_ggrs::{AdvanceWorld, ConfirmedFrameCount, LoadWorld, Rollback, RollbackApp, RollbackFrameCount, SaveWorld, SnapshotPlugin};
use std::process::exit;

const BATCHES: usize = 9;

#[derive(Component, Clone, Copy)]
struct Pos(i64, i64);
#[derive(Component, Clone, Copy)]
struct Speed(i64, i64);
#[derive(Component, Clone, Copy)]
#[allow(dead_code)]
struct Goal(i64, i64);
#[derive(Component, Clone, Copy)]
struct Health(i64);
#[derive(Component, Clone, Copy)]
#[allow(dead_code)]
struct Armour(i64);
#[derive(Component, Clone, Copy)]
#[allow(dead_code)]
struct Target(i64);
#[derive(Component, Clone, Copy)]
#[allow(dead_code)]
struct Timers([i32; 3]);
#[derive(Component, Clone, Copy)]
#[allow(dead_code)]
struct Kind([u8; 4]);

/// The units in the order in which they were made, and how many ticks there have been.
#[derive(Resource, Default)]
struct Army {
    units: Vec<Entity>,
    tick: usize,
}

fn move_all(mut units: Query<(&mut Pos, &Speed)>) {
    for (mut pos, speed) in &mut units {
        pos.0 += speed.0;
        pos.1 += speed.1;
    }
}

fn hurt_some(mut army: ResMut<Army>, mut healths: Query<&mut Health>) {
    let n = army.units.len() / 100;
    for i in 0..n {
        let unit = army.units[(army.tick * n + i) % army.units.len()];
        if let Ok(mut health) = healths.get_mut(unit) {
            health.0 = army.tick as i64;
        }
    }
    army.tick += 1;
}

/// The processor time that this process has taken, in nanoseconds.
fn processor() -> u64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes to t alone.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut t) };
    t.tv_sec as u64 * 1_000_000_000 + t.tv_nsec as u64
}

/// The median of the processor time in nanoseconds that a call takes, over batches of so many calls.
fn measured(calls: usize, mut call: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..BATCHES)
        .map(|_| {
            let start = processor();
            (0..calls).for_each(|_| call());
            (processor() - start) as f64 / calls as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[BATCHES / 2]
}

fn new_app(units: usize, moving: bool) -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, SnapshotPlugin)).init_resource::<Army>();
    if moving {
        app.add_systems(AdvanceWorld, move_all);
    } else {
        app.add_systems(AdvanceWorld, hurt_some);
    }
    app.rollback_component_with_copy::<Pos>()
        .rollback_component_with_copy::<Speed>()
        .rollback_component_with_copy::<Goal>()
        .rollback_component_with_copy::<Health>()
        .rollback_component_with_copy::<Armour>()
        .rollback_component_with_copy::<Target>()
        .rollback_component_with_copy::<Timers>()
        .rollback_component_with_copy::<Kind>();
    app.update();
    let list = (0..units as i64)
        .map(|i| {
            let small = (Health(i), Armour(7), Target(i), Timers([1, 2, i as i32]), Kind([1, 2, 3, 4]));
            app.world_mut().spawn((Rollback, Pos(i, 3 * i), Speed(1 + i % 3, 1), Goal(3 * i, i), small)).id()
        })
        .collect();
    app.world_mut().resource_mut::<Army>().units = list;
    app
}

fn setting(name: &str, absent: usize) -> usize {
    let prefix = format!("{name}=");
    match std::env::args().find_map(|a| a.strip_prefix(&prefix).map(str::to_string)) {
        None => absent,
        Some(v) => v.parse().unwrap_or_else(|_| {
            eprintln!("worlds: {name}={v} is not a number");
            exit(2)
        }),
    }
}

fn main() {
    let (units, ticks) = (setting("units", 10_000), setting("frames", 1800) / BATCHES);
    for (name, moving) in [("moving", true), ("hurt", false)] {
        let mut bare = new_app(units, moving);
        let alone = measured(ticks, || bare.world_mut().run_schedule(AdvanceWorld));
        let mut app = new_app(units, moving);
        let mut frame = 0;
        let mut save = || {
            // Nine frames are kept, as with a window of eight.
            app.insert_resource(RollbackFrameCount(frame));
            app.insert_resource(ConfirmedFrameCount(frame - 8));
            app.world_mut().run_schedule(SaveWorld);
            app.world_mut().run_schedule(AdvanceWorld);
            frame += 1;
        };
        (0..ticks.max(16)).for_each(|_| save());
        let with = measured(ticks, &mut save);
        println!("save-{name} {} ns", (with - alone).max(0.0));

        // Going back discards what is newer, so that after the first time the frame is the newest one.
        let oldest = frame - 8;
        let back = measured(ticks, || {
            app.insert_resource(RollbackFrameCount(oldest));
            app.world_mut().run_schedule(LoadWorld);
            app.world_mut().run_schedule(AdvanceWorld);
        });
        println!("restore-{name} {} ns", (back - alone).max(0.0));
    }
}
