//! Clients without manners: they are refused with a reason and hurt nobody.

use serde_json::json;

use crate::server::Server;

const QUICK: &[&str] = &["robot.kind=none", "arcade.demo=false"];

#[tokio::test]
async fn names_with_markup_are_refused() {
    let server = Server::start(QUICK).await;
    let mut visitor = server.visitor().await;
    for name in ["ab", "<script>", "a b c", "1234567890123456", "Ada\u{202e}"] {
        visitor.signup(name, "easy").await;
        visitor.hear("NAME_INVALID").await;
    }
    server.close().await;
}

#[tokio::test]
async fn junk_and_strangers_are_refused_while_others_play() {
    let server = Server::start(QUICK).await;
    let (mut ada, mut stranger) = (server.visitor().await, server.visitor().await);
    ada.signup("Ada", "easy").await;
    ada.hear("GAME_START").await;
    for junk in ["", "{", "[]", r#"{"type":"TURN","column":99}"#, r#"{"type":"GAME_OVER"}"#, "\u{0}"] {
        stranger.say_text(junk).await;
        assert_eq!(stranger.hear("REFUSED").await["code"], "malformed", "{junk:?}");
    }
    stranger.turn(4).await;
    assert_eq!(stranger.hear("REFUSED").await["code"], "not_seated");
    ada.turn(4).await;
    assert_eq!(ada.hear("TURN").await["column"], 4);
    ada.turn(9).await;
    assert_eq!(ada.hear("REFUSED").await["code"], "malformed");
    server.close().await;
}

#[tokio::test]
async fn a_flood_is_refused_and_then_cut_off() {
    let server = Server::start(QUICK).await;
    let (mut ada, mut flooder) = (server.visitor().await, server.visitor().await);
    for _ in 0..40 {
        flooder.say(&json!({"type": "STAY"})).await;
    }
    assert_eq!(flooder.hear("REFUSED").await["code"], "too_fast", "told before it is cut off");
    for _ in 0..500 {
        flooder.say(&json!({"type": "STAY"})).await;
    }
    while flooder.next().await.is_some() {}
    ada.signup("Ada", "easy").await;
    ada.hear("GAME_START").await;
    server.close().await;
}

#[tokio::test]
async fn an_oversized_event_ends_the_connection_and_nothing_else() {
    let server = Server::start(QUICK).await;
    let (mut ada, mut giant) = (server.visitor().await, server.visitor().await);
    giant.say_text(&"x".repeat(100_000)).await;
    assert_eq!(giant.next().await, None);
    ada.signup("Ada", "easy").await;
    ada.hear("GAME_START").await;
    server.close().await;
}

#[tokio::test]
async fn half_a_handshake_hurts_nobody() {
    use tokio::io::AsyncWriteExt;
    let server = Server::start(QUICK).await;
    let mut half = tokio::net::TcpStream::connect(&server.address).await.unwrap();
    half.write_all(b"GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n").await.unwrap();
    let (status, _, body) = server.request("GET", "/healthz", &[], "").await;
    assert_eq!((status, body.as_str()), (200, "ok\n"));
    server.close().await;
}

#[tokio::test]
async fn a_full_hall_says_so() {
    let server = Server::start(&["robot.kind=none", "arcade.connections=1"]).await;
    let _first = server.visitor().await;
    let (socket, _) = tokio_tungstenite::connect_async(format!("ws://{}/ws", server.address)).await.unwrap();
    let text = {
        use futures_util::StreamExt;
        let mut socket = socket;
        socket.next().await.unwrap().unwrap().into_text().unwrap().to_string()
    };
    assert!(text.contains("hall_full"), "{text}");
    server.close().await;
}

#[tokio::test]
async fn pages_are_served_with_a_strict_policy() {
    let server = Server::start(QUICK).await;
    for path in ["/", "/watch", "/robot", "/games", "/admin", "/qr.svg", "/metrics"] {
        let (status, head, body) = server.request("GET", path, &[], "").await;
        assert_eq!(status, 200, "{path}");
        assert!(head.contains("default-src 'self'"), "{path}");
        assert!(!body.is_empty(), "{path}");
        assert!(!body.contains("<!-- part"), "{path}: every part is found");
        assert!(!body.contains("<script>") && !body.contains(" onclick="), "{path}: nothing inline");
    }
    for path in ["/static/../Cargo.toml", "/static/nothing.js", "/nothing"] {
        assert_eq!(server.request("GET", path, &[], "").await.0, 404, "{path}");
    }
    server.close().await;
}
