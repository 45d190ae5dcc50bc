//! Compiles GGPO from the sources that the crate ggpo-sys carries. Where they call Windows, they find the headers in shim,
//! which say it for other systems; where one compiler alone accepts a line, CHANGES says the same for all; and all calls of
//! the log are taken out, since GGPO formats each line even where its log is off.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// A file, a piece of it, and what stands there instead.
const CHANGES: [(&str, &str, &str); 1] = [("network/udp_proto.h", "UdpProtocol::Event(Type t", "Event(Type t")];

fn main() {
    let sources = sources().join("libggpo/src");
    let ggpo = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it")).join("ggpo");
    copy(&sources.join("lib/ggpo"), &ggpo);
    for (name, from, to) in CHANGES {
        let path = ggpo.join(name);
        let text = fs::read_to_string(&path).expect(name);
        assert!(text.contains(from), "{name} has no {from}: the sources are others");
        fs::write(&path, text.replace(from, to)).expect(name);
    }
    let mut build = cc::Build::new();
    build
        .cpp(true)
        .warnings(false)
        .flag("-w")
        .flag("-fpermissive")
        .std("c++14")
        .define("_WINDOWS", None)
        .define("NDEBUG", None)
        .include("shim")
        .include(sources.join("include"))
        .include(&ggpo)
        .flag("-include")
        .flag("shim/windows.h")
        .file("shim/count.cpp");
    for name in [
        "bitvector", "game_input", "input_queue", "log", "main", "poll", "sync", "timesync", "platform_windows", "network/udp",
        "network/udp_proto", "backends/p2p", "backends/spectator", "backends/synctest",
    ] {
        build.file(ggpo.join(format!("{name}.cpp")));
    }
    build.compile("ggpo");
    for path in ["build.rs", "shim/windows.h", "shim/count.cpp"] {
        println!("cargo:rerun-if-changed={path}");
    }
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder to build in");
    for entry in fs::read_dir(from).expect("the sources of GGPO") {
        let entry = entry.expect("the sources of GGPO");
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            let text = fs::read(entry.path()).expect("a source of GGPO");
            fs::write(&target, without_log(&String::from_utf8_lossy(&text))).expect("a copy of it");
        }
    }
}

/// The text with another name where a statement calls the log; shim/windows.h makes nothing of that name.
fn without_log(text: &str) -> String {
    let line = |l: &str| match l.trim_start().starts_with("Log(") {
        true => l.replacen("Log(", "PEERS_NO_LOG(", 1),
        false => l.to_string(),
    };
    text.lines().map(|l| line(l) + "\n").collect()
}

/// The folder of the crate ggpo-sys, which Cargo has fetched.
fn sources() -> PathBuf {
    let cargo = env::var("CARGO").expect("Cargo sets it");
    let out = Command::new(cargo)
        .args(["metadata", "--format-version=1", "--locked", "--features=sources"])
        .output()
        .expect("cargo metadata");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&out.stderr));
    // The path of its manifest is the one string that ends like this.
    let end = text.find("ggpo-sys-0.1.0/Cargo.toml\"").expect("the sources of ggpo-sys 0.1.0, which cargo fetch gets");
    let start = text[..end].rfind('"').expect("a string") + 1;
    Path::new(&text[start..end]).join("ggpo-sys-0.1.0")
}
