//! What the child can reach.

use std::net::TcpListener;
use std::os::unix::net::UnixListener;

use forecheck_boundary::{Mode, Network};
use forecheck_confine::Request;

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
    let path = folder.path().join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    let connect = "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])";
    let request = scene.request(&["python3", "-c", connect, path.to_str().unwrap()]);
    scene.is_denied(request, "FileNotFoundError");
    drop(listener);
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
