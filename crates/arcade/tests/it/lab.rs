//! The lab: measurements run as a process of their own, one at a time, and can be stopped (X6).

use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};

use crate::server::Server;
use crate::visitor::json_at;

/// Stands for `gamebot`: prints what it is asked for, sleeps if that is `pieces`, and fails if it is `robot`.
const PROGRAM: &str = "#!/bin/sh\n[ \"$2\" = robot ] && echo 'no fingers' >&2 && exit 1\necho \"$@\"\necho measuring >&2\n[ \"$2\" = pieces ] && exec sleep 600\nexit 0\n";

/// Looks at the lab until it is as wanted.
async fn lab_when(server: &Server, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let lab = json_at(&server.address, "/api/lab").await;
        if wanted(&lab) {
            return lab;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_measurement_is_started_followed_and_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("gamebot");
    std::fs::write(&program, PROGRAM).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let server =
        Server::start_measuring(&["robot.kind=none", "arcade.demo=false"], None, Some(program)).await;
    let wish = |name: &str| json!({ "experiment": name }).to_string();
    let refused = server.request("POST", "/api/admin/lab", &[("X-Gamebot", "1")], &wish("pieces")).await;
    assert_eq!(refused.0, 401, "visitors look on");
    let setup = json!({ "code": server.setup_code, "password": "correct horse" }).to_string();
    let (_, head, _) = server.request("POST", "/api/admin/setup", &[("X-Gamebot", "1")], &setup).await;
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let operator = [("X-Gamebot", "1"), ("Cookie", cookie.split(';').next().unwrap())];
    let ask =
        async |method: &str, body: &str| server.request(method, "/api/admin/lab", &operator, body).await.0;

    assert_eq!(ask("DELETE", "").await, 409, "nothing runs");
    assert_eq!(ask("POST", &wish("rm -rf /")).await, 422, "only what is offered");
    assert_eq!(ask("POST", &wish("pieces")).await, 204);
    assert_eq!(ask("POST", &wish("recognition")).await, 409, "one at a time");
    lab_when(&server, |lab| lab["running"]["progress"] == "measuring").await;
    assert_eq!(ask("DELETE", "").await, 204);
    let lab = lab_when(&server, |lab| lab["running"].is_null() && lab["results"][0].is_object()).await;
    assert_eq!(lab["results"][0]["state"], "stopped");

    assert_eq!(ask("POST", &wish("recognition")).await, 204);
    let lab = lab_when(&server, |lab| lab["results"].as_array().unwrap().len() == 2).await;
    let newest = &lab["results"][0];
    assert_eq!(
        (&newest["state"], &newest["command"]),
        (&json!("done"), &json!("gamebot measure recognition"))
    );
    assert!(newest["output"].as_str().unwrap().contains("measure recognition"), "{newest}");

    assert_eq!(ask("POST", &wish("robot")).await, 204);
    let lab = lab_when(&server, |lab| lab["results"].as_array().unwrap().len() == 3).await;
    let newest = &lab["results"][0];
    assert_eq!((&newest["state"], &newest["output"]), (&json!("failed"), &json!("no fingers")));
    assert_eq!(server.request("GET", "/api/lab/..%2fx/plot.svg", &[], "").await.0, 404);
    server.close().await;
}
