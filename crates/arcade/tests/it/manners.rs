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
        // Pages talk to this server alone.
        assert!(head.contains("connect-src 'self';"), "{path}");
        assert!(!body.is_empty(), "{path}");
        assert!(!body.contains("<!-- part"), "{path}: every part is found");
        assert!(!body.contains("<script>") && !body.contains(" onclick="), "{path}: nothing inline");
    }
    for path in ["/static/../Cargo.toml", "/static/nothing.js", "/nothing"] {
        assert_eq!(server.request("GET", path, &[], "").await.0, 404, "{path}");
    }
    server.close().await;
}

/// Frames that mean nothing are counted as well.
#[tokio::test]
async fn pings_and_binary_frames_are_no_way_around_the_limit() {
    use futures_util::{SinkExt, StreamExt};
    use tokio_tungstenite::tungstenite::{Bytes, Message};
    let server = Server::start(QUICK).await;
    for frame in [Message::Ping(Bytes::new()), Message::Binary(Bytes::from_static(b"junk"))] {
        let address = format!("ws://{}/ws", server.address);
        let (socket, _) = tokio_tungstenite::connect_async(address).await.unwrap();
        let (mut out, mut events) = socket.split();
        // Ends when the server has closed the connection, and not before.
        let sending = tokio::spawn(async move { while out.send(frame.clone()).await.is_ok() {} });
        while let Some(Ok(_)) = events.next().await {}
        tokio::time::timeout(crate::visitor::PATIENCE, sending).await.expect("it is closed").unwrap();
    }
    server.close().await;
}

/// One address takes no more than its share, and the others come in.
#[tokio::test]
async fn one_address_cannot_take_all_places() {
    use tokio::io::AsyncReadExt;
    let server = Server::start(&[QUICK, &["arcade.connections_per_address=5"]].concat()).await;
    let from = |last: u8| {
        let address = server.address.parse().unwrap();
        async move {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(format!("127.0.0.{last}:0").parse().unwrap()).unwrap();
            socket.connect(address).await.unwrap()
        }
    };
    let mut greedy = Vec::new();
    for _ in 0..5 {
        greedy.push(from(2).await);
    }
    let mut refused = from(2).await;
    assert_eq!(refused.read(&mut [0; 1]).await.unwrap_or(0), 0, "closed at once");
    assert_eq!(server.visitor().await.welcome["type"], "WELCOME", "somebody else finds a place");
    drop(greedy);
    server.close().await;
}

/// Behind a proxy the share is each visitor's, not the proxy's.
#[tokio::test]
async fn behind_a_proxy_every_visitor_has_a_share() {
    use futures_util::{SinkExt, StreamExt};
    use tokio_tungstenite::tungstenite::Message;
    use tokio_tungstenite::tungstenite::client::IntoClientRequest;
    let settings = ["arcade.behind_proxy=true", "arcade.connections_per_address=2"];
    let server = Server::start(&[QUICK, &settings].concat()).await;
    let enter = async |visitor: &str| {
        let mut request = format!("ws://{}/ws", server.address).into_client_request().unwrap();
        request.headers_mut().insert("X-Forwarded-For", visitor.parse().unwrap());
        let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
        // A full hall refuses before it is greeted.
        drop(socket.send(Message::text(r#"{"type":"HELLO","token":null}"#)).await);
        let first = socket.next().await.unwrap().unwrap().into_text().unwrap();
        (first.contains("WELCOME"), socket)
    };
    let mut here = Vec::new();
    for (visitor, welcome) in [
        ("203.0.113.1", true),
        ("203.0.113.1", true),
        ("203.0.113.1", false),
        ("203.0.113.2", true),
        ("203.0.113.3", true),
    ] {
        let (welcomed, socket) = enter(visitor).await;
        assert_eq!(welcomed, welcome, "{visitor}, {} pages are open", here.len());
        here.push(socket);
    }
    drop(here);
    server.close().await;
}

/// A page that takes nothing is let go of, whatever waits for it.
#[tokio::test]
async fn a_page_that_does_not_read_is_let_go() {
    use futures_util::SinkExt;
    use tokio_tungstenite::tungstenite::Message;
    let server = Server::start(QUICK).await;
    let mut ada = server.visitor().await;
    ada.signup("Ada", "hard").await;
    ada.hear("GAME_START").await;
    ada.turn(4).await;
    ada.hear("TURN").await;
    ada.hear("TURN").await;
    // Its system takes as little as it can be told to.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let stream = socket.connect(server.address.parse().unwrap()).await.unwrap();
    let address = format!("ws://{}/ws", server.address);
    let (mut deaf, _) = tokio_tungstenite::client_async(address, stream).await.unwrap();
    deaf.send(Message::text(r#"{"type":"HELLO","token":null,"watch":true}"#)).await.unwrap();
    while ada.hear("WATCHING").await["watchers"] != 2 {}
    // Each greeting is answered with the whole state and the last explanation.
    for _ in 0..25 {
        deaf.send(Message::text(r#"{"type":"HELLO","token":null,"watch":true}"#)).await.unwrap();
    }
    while ada.hear("WATCHING").await["watchers"] != 1 {}
    server.close().await;
}

/// Half a request, a body that does not come, and a connection that is not used end by themselves.
#[tokio::test]
async fn whoever_keeps_the_server_waiting_is_let_go() {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let server = Server::start(QUICK).await;
    let send = async |text: String| {
        let mut stream = tokio::net::TcpStream::connect(&server.address).await.unwrap();
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let end = tokio::time::timeout(crate::visitor::PATIENCE, stream.read_to_end(&mut answer)).await;
        // Closed or cut off, but not kept.
        drop(end.expect("it ends"));
        String::from_utf8_lossy(&answer).into_owned()
    };
    let host = &server.address;
    let (half, idle, unfinished) = tokio::join!(
        send(format!("GET /ws HTTP/1.1\r\nHost: {host}\r\n")),
        send(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n\r\n")),
        send(format!(
            "POST /api/admin/login HTTP/1.1\r\nHost: {host}\r\nX-Gamebot: 1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{{"
        )),
    );
    assert!(!half.contains("200 OK"), "{half}");
    assert!(idle.contains("200 OK"), "{idle}");
    assert!(unfinished.contains("408"), "{unfinished}");
    server.close().await;
}

/// Whoever asks too often is told to wait.
#[tokio::test]
async fn too_many_requests_for_stored_games_are_refused() {
    let server = Server::start(&[QUICK, &["arcade.requests_per_second=2"]].concat()).await;
    let mut statuses = Vec::new();
    for _ in 0..8 {
        statuses.push(server.request("GET", "/api/games", &[], "").await.0);
    }
    assert!(statuses.starts_with(&[200, 200, 200, 200]) && statuses.contains(&429), "{statuses:?}");
    assert_eq!(server.request("GET", "/", &[], "").await.0, 200, "pages are not counted");
    server.close().await;
}

/// A visitor who comes back as somebody else leaves no ghost behind.
#[tokio::test]
async fn whoever_says_hello_anew_waits_no_longer_as_before() {
    let server = Server::start(&[QUICK, &["arcade.reconnect_within_s=1"]].concat()).await;
    let (mut ghost, mut watcher) = (server.visitor().await, server.visitor().await);
    ghost.signup("Ghost", "human").await;
    watcher.hear("GAME_SIGNUP").await;
    ghost.say(&json!({"type": "HELLO", "token": null})).await;
    assert_eq!(watcher.hear("VISITOR_LEFT").await["name"], "Ghost");
    server.close().await;
}

/// Games that nobody plays have a limit.
#[tokio::test]
async fn one_address_begins_only_so_many_games() {
    let server = Server::start(&[QUICK, &["arcade.games_per_minute=3"]].concat()).await;
    let mut hog = server.visitor().await;
    for _ in 0..3 {
        hog.signup("Hog", "easy").await;
        hog.hear("GAME_START").await;
        hog.say(&json!({"type": "LEAVE"})).await;
        hog.hear("TABLE_FREE").await;
    }
    hog.signup("Hog", "easy").await;
    assert_eq!(hog.hear("REFUSED").await["code"], "too_many_games");
    server.close().await;
}

/// The last thing a page hears is that the connection is closed, not silence.
#[tokio::test]
async fn pages_get_a_close_frame_at_the_end() {
    use futures_util::{SinkExt, StreamExt};
    use tokio_tungstenite::tungstenite::Message;
    let server = Server::start(QUICK).await;
    let (mut socket, _) =
        tokio_tungstenite::connect_async(format!("ws://{}/ws", server.address)).await.unwrap();
    socket.send(Message::text(r#"{"type":"HELLO","token":null}"#)).await.unwrap();
    let reading = tokio::spawn(async move {
        let mut last = None;
        while let Some(Ok(message)) = socket.next().await {
            last = Some(message);
        }
        last
    });
    let closing = tokio::spawn(server.close());
    let last = reading.await.unwrap();
    assert!(matches!(last, Some(Message::Close(Some(_)))), "{last:?}");
    closing.await.unwrap();
}
