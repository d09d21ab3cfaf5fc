//! The manual at `/docs`, as a reader without scripts meets it: every page and every link of the contents answers.

use crate::server::Server;

#[tokio::test]
async fn the_manual_is_served_whole() {
    let server = Server::start(&["robot.kind=none"]).await;
    let (status, head, _) = server.request("GET", "/docs", &[], "").await;
    assert_eq!(status, 308);
    assert!(head.contains("location: /docs/\r\n"), "{head}");
    let (status, _, first) = server.request("GET", "/docs/", &[], "").await;
    assert_eq!(status, 200);
    assert!(
        first.contains("<h1 id=\"get-started\">Get started</h1>") && !first.contains("<!-- manual:"),
        "{first}"
    );
    let links: Vec<&str> = first.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let chapters: Vec<_> = links.iter().filter(|link| link.strip_suffix(".html").is_some()).collect();
    assert!(chapters.len() > 20, "{links:?}");
    for chapter in chapters {
        let (status, head, page) = server.request("GET", &format!("/docs/{chapter}"), &[], "").await;
        assert_eq!(status, 200, "{chapter}");
        assert!(head.contains("text/html") && head.contains("content-security-policy"), "{head}");
        // The policy forbids both.
        assert!(!page.contains(" style=") && !page.contains("<script>"), "{chapter}");
    }
    let index = server.json("/docs/search.json").await;
    assert!(index.as_array().unwrap().iter().any(|entry| entry["heading"] == "Wiring"));
    for wrong in ["/docs/no-such-chapter.html", "/docs/..%2f..%2fCargo.toml", "/docs/SUMMARY.md", "/docs/%00"]
    {
        let (status, ..) = server.request("GET", wrong, &[], "").await;
        assert_eq!(status, 404, "{wrong}");
    }
    server.close().await;
}
