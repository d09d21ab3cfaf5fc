//! The operator's page: password, sessions, settings (C12).

use serde_json::{Value, json};

use crate::server::Server;

const QUICK: &[&str] = &["robot.kind=none", "arcade.demo=false"];
pub const OURS: (&str, &str) = ("X-Gamebot", "1");

/// Sets the first password and returns the session's cookie.
pub async fn open(server: &Server) -> String {
    let body = json!({"code": server.setup_code, "password": "correct horse"}).to_string();
    let (status, head, body) = server.request("POST", "/api/admin/setup", &[OURS], &body).await;
    assert_eq!(status, 204, "{body}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    cookie.split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn the_first_password_needs_the_printed_code() {
    let server = Server::start(QUICK).await;
    // 32 signs in each of twelve places are more than anybody can try.
    let code = server.setup_code.clone().unwrap();
    assert_eq!(code.bytes().filter(u8::is_ascii_alphanumeric).count(), 12, "{code}");
    assert_eq!(server.json("/api/admin/session").await["state"], "setup");
    let wrong = json!({"code": "nonsense", "password": "correct horse"}).to_string();
    assert_eq!(server.request("POST", "/api/admin/setup", &[OURS], &wrong).await.0, 401);
    let short = json!({"code": server.setup_code, "password": "short"}).to_string();
    assert_eq!(server.request("POST", "/api/admin/setup", &[OURS], &short).await.0, 422);
    open(&server).await;
    assert_eq!(server.json("/api/admin/session").await["state"], "login");
    let again = json!({"code": server.setup_code, "password": "correct horse"}).to_string();
    assert_eq!(server.request("POST", "/api/admin/setup", &[OURS], &again).await.0, 409);
    server.close().await;
}

/// Whoever guesses is slowed down, and locks out nobody else.
#[tokio::test]
async fn guessing_is_slowed_down_for_the_guesser_alone() {
    let server = Server::start(&[QUICK, &["arcade.behind_proxy=true"]].concat()).await;
    let cookie = open(&server).await;
    let login = |password: &str| json!({ "password": password }).to_string();
    let guesser = [OURS, ("X-Forwarded-For", "203.0.113.1")];
    for _ in 0..5 {
        assert_eq!(server.request("POST", "/api/admin/login", &guesser, &login("wrong")).await.0, 401);
    }
    let (status, head, _) =
        server.request("POST", "/api/admin/login", &guesser, &login("correct horse")).await;
    assert_eq!(status, 429);
    assert!(head.contains("retry-after:"), "{head}");
    // The operator comes from elsewhere, or is in already.
    let elsewhere = [OURS, ("X-Forwarded-For", "203.0.113.2"), ("X-Forwarded-Proto", "https")];
    let (status, head, _) =
        server.request("POST", "/api/admin/login", &elsewhere, &login("correct horse")).await;
    assert_eq!(status, 204);
    assert!(head.contains("Secure"), "{head}");
    let inside = [guesser[0], guesser[1], ("Cookie", cookie.as_str())];
    assert_eq!(server.request("POST", "/api/admin/login", &inside, &login("correct horse")).await.0, 204);
    server.close().await;

    let server = Server::start(QUICK).await;
    open(&server).await;
    for _ in 0..8 {
        assert_eq!(server.request("POST", "/api/admin/login", &[OURS], &login("wrong")).await.0, 401);
    }
    let here = server.request("POST", "/api/admin/login", &[OURS], &login("correct horse")).await;
    assert_eq!(here.0, 204, "whoever sits at the machine is never locked out");
    server.close().await;
}

/// Pages of other sites, and names that strangers let point here, change nothing.
#[tokio::test]
async fn only_our_own_pages_are_listened_to() {
    let server = Server::start(QUICK).await;
    let body = json!({ "code": "x", "password": "x" }).to_string();
    let evil = [OURS, ("Origin", "http://evil.example")];
    assert_eq!(server.request("POST", "/api/admin/setup", &evil, &body).await.0, 403);
    let socket = |headers: &[(&'static str, String)]| {
        use tokio_tungstenite::tungstenite::client::IntoClientRequest;
        let mut request = format!("ws://{}/ws", server.address).into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        tokio_tungstenite::connect_async(request)
    };
    assert!(socket(&[("Origin", "http://evil.example".to_owned())]).await.is_err());
    assert!(
        socket(&[("Host", "evil.example".to_owned()), ("Origin", "http://evil.example".to_owned())])
            .await
            .is_err()
    );
    assert!(socket(&[("Origin", format!("http://{}", server.address))]).await.is_ok());
    server.close().await;
}

/// Whoever logs out sees no more of the robot's line.
#[tokio::test]
async fn the_traffic_stream_ends_with_the_session() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Server::start(&["robot.kind=simulated", "arcade.demo=false"]).await;
    let cookie = open(&server).await;
    let mut stream = tokio::net::TcpStream::connect(&server.address).await.unwrap();
    let request =
        format!("GET /api/admin/traffic HTTP/1.0\r\nHost: {}\r\nCookie: {cookie}\r\n\r\n", server.address);
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut first = [0; 12];
    stream.read_exact(&mut first).await.unwrap();
    assert_eq!(&first[9..], b"200");
    let headers = [("Cookie", cookie.as_str()), OURS];
    assert_eq!(server.request("POST", "/api/admin/logout", &headers, "").await.0, 204);
    let mut rest = Vec::new();
    tokio::time::timeout(crate::visitor::PATIENCE, stream.read_to_end(&mut rest))
        .await
        .expect("it ends")
        .unwrap();
    server.close().await;
}

#[tokio::test]
async fn without_session_or_header_nothing_is_changed() {
    let server = Server::start(QUICK).await;
    let cookie = open(&server).await;
    for (method, path) in [
        ("GET", "/api/admin/settings"),
        ("GET", "/api/admin/database"),
        ("GET", "/api/admin/log"),
        ("GET", "/api/admin/traffic"),
        ("POST", "/api/admin/game/end"),
        ("POST", "/api/admin/settings"),
        ("POST", "/api/admin/robot/fault"),
    ] {
        assert_eq!(server.request(method, path, &[OURS], "{}").await.0, 401, "{path}");
    }
    let with_cookie = [("Cookie", cookie.as_str())];
    assert_eq!(server.request("POST", "/api/admin/game/end", &with_cookie, "").await.0, 403);
    assert_eq!(server.request("POST", "/api/admin/game/end", &[with_cookie[0], OURS], "").await.0, 409);
    server.close().await;
}

#[tokio::test]
async fn settings_change_without_a_restart_and_survive_one() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let server = Server::start_with(QUICK, Some(database.clone())).await;
    let cookie = open(&server).await;
    let headers = [("Cookie", cookie.as_str()), OURS];
    let mut page = server.visitor().await;
    let change = json!({"key": "arcade.language", "value": "de"}).to_string();
    assert_eq!(server.request("POST", "/api/admin/settings", &headers, &change).await.0, 204);
    assert_eq!(page.hear("SETTINGS").await["language"], "de");

    let before = server.request("GET", "/qr.svg", &[], "").await.2;
    let change = json!({"key": "arcade.address", "value": "http://robot.example/"}).to_string();
    assert_eq!(server.request("POST", "/api/admin/settings", &headers, &change).await.0, 204);
    assert_eq!(page.hear("SETTINGS").await["address"], "http://robot.example/lobby");
    assert_ne!(server.request("GET", "/qr.svg", &[], "").await.2, before);

    // The same words as for a profile.
    for (key, value, message) in [
        (
            "arcade.langauge",
            "de",
            "unknown key `arcade.langauge` (= \"de\"); did you mean `arcade.language`?",
        ),
        (
            "arcade.question_after_s",
            "1",
            "`arcade.question_after_s` is 1, which is not allowed: it must be a whole number from 5 to 3600",
        ),
        (
            "arcade.demo",
            "maybe",
            "`arcade.demo` is \"maybe\", which has the wrong type: it must be true or false",
        ),
    ] {
        let body = json!({"key": key, "value": value}).to_string();
        let (status, _, body) = server.request("POST", "/api/admin/settings", &headers, &body).await;
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(
            (status, body["error"].as_str().unwrap()),
            (422, format!("operator's page: {message}").as_str())
        );
    }
    let (_, _, settings) = server.request("GET", "/api/admin/settings", &headers, "").await;
    let settings: Value = serde_json::from_str(&settings).unwrap();
    assert!(!settings.to_string().contains("password"), "secrets are not shown");
    let find = |key: &str| {
        settings["settings"].as_array().unwrap().iter().find(|s| s["key"] == key).unwrap().clone()
    };
    assert_eq!(
        (find("arcade.language")["value"].as_str(), find("arcade.language")["source"].as_str()),
        (Some("de"), Some("operator's page"))
    );
    let (_, head, _) = server.request("GET", "/api/admin/database", &headers, "").await;
    assert!(head.contains("application/vnd.sqlite3"));
    server.close().await;

    let server = Server::start_with(QUICK, Some(database)).await;
    let page = server.visitor().await;
    assert_eq!(page.welcome["state"]["language"], "de");
    let login = json!({"password": "correct horse"}).to_string();
    assert_eq!(server.request("POST", "/api/admin/login", &[OURS], &login).await.0, 204);
    server.close().await;
}

#[tokio::test]
async fn the_operator_ends_a_game() {
    let server = Server::start(QUICK).await;
    let cookie = open(&server).await;
    let mut ada = server.visitor().await;
    ada.signup("Ada", "easy").await;
    ada.hear("GAME_START").await;
    let headers = [("Cookie", cookie.as_str()), OURS];
    assert_eq!(server.request("POST", "/api/admin/game/end", &headers, "").await.0, 204);
    assert_eq!(ada.hear("GAME_ENDED").await["reason"], "operator");
    ada.hear("TABLE_FREE").await;
    server.close().await;
}

#[tokio::test]
async fn a_configured_password_is_neither_asked_for_nor_shown_nor_changed() {
    // The hash of "correct horse", made by another program than ours (argon2-cffi).
    let hash = "operator.password_hash=$argon2id$v=19$m=19456,t=2,p=1$v4GjunkRbMU7FtN+zuH4wQ$UNIV5xAtucJoZvoudaeSU96wTtB2+nGDhf2AwHhPvH4";
    let server = Server::start(&[QUICK, &[hash]].concat()).await;
    assert_eq!(server.setup_code, None);
    let login = json!({ "password": "correct horse" }).to_string();
    let (status, head, body) = server.request("POST", "/api/admin/login", &[OURS], &login).await;
    assert_eq!(status, 204, "{body}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let headers = [("Cookie", cookie.split(';').next().unwrap()), OURS];
    let (_, _, settings) = server.request("GET", "/api/admin/settings", &headers, "").await;
    assert!(settings.contains("arcade.language") && !settings.contains("argon2"), "{settings}");
    let change = json!({"key": "operator.password_hash", "value": ""}).to_string();
    assert_eq!(server.request("POST", "/api/admin/settings", &headers, &change).await.0, 422);
    server.close().await;
}
