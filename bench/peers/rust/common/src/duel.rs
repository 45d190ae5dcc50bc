//! The duel, from its rules (docs/reference/duel.md).

use crate::game::{hash_bytes, Game};

const LEFT: u16 = 1;
const RIGHT: u16 = 2;
const JUMP: u16 = 4;
const ATTACK: u16 = 8;

const IDLE: u8 = 0;
const RUNNING: u8 = 1;
const JUMPING: u8 = 2;
const ATTACKING: u8 = 3;
const STUNNED: u8 = 4;

/// One player's part of the state.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Fighter {
    x: i32,
    y: i32,
    vx: i32,
    vy: i32,
    hitstun: i32,
    hp: i32,
    cooldown: i32,
    active: i32,
    facing: i8,
    action: u8,
    has_hit: u8,
    _pad: u8,
}

/// A whole match at one frame.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Duel {
    frame: u32,
    p: [Fighter; 2],
    rng: u32,
}

impl Fighter {
    /// Phases B to F. Conditions select values where the rules have branches: nobody can predict what players hold, and
    /// a branch that is predicted wrongly takes as long as all the rest.
    #[inline(always)]
    fn act(&mut self, input: u16) {
        let mut action = self.action;
        let mut active = self.active;
        let mut cooldown = (self.cooldown - 1).max(0);
        let hitstun = (self.hitstun - 1).max(0);
        if self.hitstun == 1 {
            action = IDLE;
        }
        if action != STUNNED {
            let attack = input & ATTACK != 0 && cooldown <= 0;
            action = if attack { ATTACKING } else { action };
            active = if attack { 5 } else { active };
            cooldown = if attack { 30 } else { cooldown };
            self.has_hit = if attack { 0 } else { self.has_hit };

            let right = i32::from(input & RIGHT != 0);
            let left = i32::from(input & LEFT != 0 && right == 0);
            let direction = right - left;
            self.facing = if direction != 0 { direction as i8 } else { self.facing };
            let free = action != JUMPING && action != ATTACKING;
            let stood = if action == RUNNING { IDLE } else { action };
            let ran = if free { RUNNING } else { action };
            action = if direction != 0 { ran } else { stood };
            let jump = input & JUMP != 0 && self.y == 0 && action != JUMPING;
            self.vy = if jump { 500 } else { self.vy };
            action = if jump { JUMPING } else { action };
            self.x = (self.x + direction * 300).clamp(0, 20_000 - 600);
        }
        self.vy -= 40;
        self.y += self.vy;
        let ground = self.y <= 0;
        self.y = self.y.max(0);
        self.vy = if ground { 0 } else { self.vy };
        action = if ground && action == JUMPING { IDLE } else { action };
        if active == 1 && action == ATTACKING {
            action = IDLE;
        }
        self.active = (active - 1).max(0);
        self.action = action;
        self.cooldown = cooldown;
        self.hitstun = hitstun;
    }

    fn hits(&self, other: &Fighter) -> bool {
        if self.active <= 0 || self.has_hit != 0 {
            return false;
        }
        let left = if self.facing < 0 { self.x - 700 } else { self.x + 600 };
        left < other.x + 600 && other.x < left + 700 && self.y < other.y + 900 && other.y < self.y + 700
    }

    fn struck(&mut self) {
        self.hp = (self.hp - 25).max(0);
        self.hitstun = 20;
        self.action = STUNNED;
    }
}

impl Duel {
    /// State 0. The seed is not 0.
    pub fn new(seed: u32) -> Self {
        let fighter = |x, facing| Fighter { x, facing, hp: 100, ..Fighter::default() };
        Duel { frame: 0, p: [fighter(4_000, 1), fighter(16_000, -1)], rng: seed }
    }

    /// Advances the state by one frame.
    #[inline(always)]
    pub fn advance(&mut self, in1: u16, in2: u16) {
        self.frame += 1;
        self.p[0].act(in1);
        self.p[1].act(in2);
        if self.p[0].active > 0 || self.p[1].active > 0 {
            self.resolve();
        }
    }

    fn resolve(&mut self) {
        let [hit1, hit2] = [self.p[0].hits(&self.p[1]), self.p[1].hits(&self.p[0])];
        if hit1 {
            self.p[0].has_hit = 1;
            self.p[1].struck();
        }
        if hit2 {
            self.p[1].has_hit = 1;
            self.p[0].struck();
        }
    }

    /// The canonical bytes.
    pub fn canonical(&self) -> [u8; 78] {
        let mut b = [0; 78];
        b[0..4].copy_from_slice(&self.frame.to_le_bytes());
        for (f, o) in self.p.iter().zip([4, 39]) {
            for (v, at) in [(f.x, 0), (f.y, 4), (f.vx, 8), (f.vy, 12), (f.hitstun, 18), (f.hp, 22), (f.cooldown, 26), (f.active, 30)] {
                b[o + at..o + at + 4].copy_from_slice(&v.to_le_bytes());
            }
            b[o + 16] = f.facing as u8;
            b[o + 17] = f.action;
            b[o + 34] = f.has_hit;
        }
        b[74..78].copy_from_slice(&self.rng.to_le_bytes());
        b
    }
}

impl Game for Duel {
    const NAME: &'static str = "duel";

    fn start() -> Self {
        Duel::new(crate::game::SEED)
    }

    #[inline(always)]
    fn step(&mut self, _: usize, input: impl Fn(usize) -> u16) {
        self.advance(input(0), input(1));
    }

    fn hash(&self) -> u64 {
        hash_bytes(&self.canonical())
    }

    fn bytes(&self) -> &[u8] {
        crate::game::plain_bytes(self)
    }

    fn set_bytes(&mut self, b: &[u8]) {
        crate::game::set_plain(self, b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_answers_of_the_rules() {
        assert_eq!(Duel::new(1).hash(), 0xC668_73F2_36EC_7315);
        assert_eq!(Duel::new(3).hash(), 0x3DAA_A4A8_E316_85D1);
        // The script "golden", whose hash after 1000 frames is in the rules.
        let mut s = Duel::new(1);
        for f in 0..1000u32 {
            let a = |n: u32| if f % n == 0 { ATTACK } else { 0 };
            let one = match f {
                200..=219 => JUMP,
                0..=399 => RIGHT,
                400..=449 => a(15),
                _ if (f / 20) % 2 == 0 => LEFT,
                _ => RIGHT,
            };
            let two = match f {
                0..=299 => LEFT,
                300..=399 => JUMP,
                400..=499 => a(17),
                _ => 0,
            };
            s.advance(one, two);
        }
        assert_eq!(s.hash(), 0x2F35_3495_44DC_C1F7);
    }
}
