//! What the child can reach.

use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::Duration;

use forecheck_boundary::{Mode, Network};
use forecheck_confine::{Answer, Request};

use crate::scene::Scene;

#[test]
fn a_listener_of_the_host_is_reached_only_with_the_network() {
    let scene = Scene::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connect = format!("exec 3<>/dev/tcp/127.0.0.1/{port}");
    let request = scene.request(&["bash", "-c", &connect]);
    scene.works(Request { network: Network::Unrestricted, ..request.clone() });
    scene.is_denied(request, "Connection refused");
}

#[test]
fn a_socket_in_a_folder_of_its_own_is_not_reached() {
    let scene = Scene::new();
    let folder = tempfile::tempdir_in("/tmp").unwrap();
    is_not_reached(&scene, &folder.path().join("socket"), "FileNotFoundError");
}

#[test]
fn a_socket_anywhere_else_is_not_reached() {
    let scene = Scene::new();
    is_not_reached(&scene, &scene.at("outside/a socket"), "PermissionError");
}

#[test]
fn a_socket_in_the_workspace_is() {
    let scene = Scene::new();
    let path = scene.at("workspace/socket");
    let _listener = UnixListener::bind(&path).unwrap();
    scene.works(scene.request(&["python3", "-c", CONNECT, path.to_str().unwrap()]));
}

const CONNECT: &str = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])";

fn is_not_reached(scene: &Scene, path: &Path, reason: &str) {
    let listener = UnixListener::bind(path).unwrap();
    scene.is_denied(scene.request(&["python3", "-c", CONNECT, path.to_str().unwrap()]), reason);
    drop(listener);
    // Other tests, which cover whatever listens, may be about to do so.
    std::thread::sleep(Duration::from_millis(500));
}

#[test]
fn a_socket_that_has_gone_since_the_preparation_fails_no_launch() {
    let scene = Scene::new();
    let listener = UnixListener::bind(scene.at("outside/socket")).unwrap();
    let prepared = scene.launcher.prepare(scene.launcher.boundary(scene.script("true")).unwrap()).unwrap();
    drop(listener);
    std::thread::sleep(Duration::from_millis(500));
    std::fs::remove_file(scene.at("outside/socket")).unwrap();
    assert_eq!(prepared.launch().settle().answer(), &Answer::Ran);
}

#[test]
fn names_can_be_looked_up_with_the_network() {
    let scene = Scene::new();
    let request =
        Request { network: Network::Unrestricted, ..scene.script("cat /etc/resolv.conf > /dev/null") };
    let control = scene.run(Request { mode: Mode::FullAccess, ..request.clone() });
    assert_eq!(scene.run(request).facts().end, control.facts().end);
}

#[test]
fn the_child_is_told() {
    let scene = Scene::new();
    let script = "echo $FORECHECK_CONFINED $FORECHECK_NETWORK $NO_COLOR $TERM $LANG $PAGER $TMPDIR; env | grep -c SECRET";
    let facts = scene.run(scene.script(script)).facts().clone();
    assert_eq!(facts.stdout.text, "1 isolated 1 dumb C.UTF-8 cat /tmp\n0\n");
}
