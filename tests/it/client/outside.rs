//! What NFTs' URIs lead to: metadata and pictures, and what keeps hostile ones in bounds.

use std::{sync::Arc, time::Duration};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use png::{BitDepth, ColorType};
use rollscope::{
    client::{ClientOptions, IndexerClient},
    msg::Picture,
    wire::{ApiError, ErrorKind, ExchangeOutcome, Step},
};

use super::{client_of, options};
use crate::harness::replay::{Answer, Replay};

/// The start of packed blanks: each zero byte that follows is a thousand more.
const BLANKS: &[u8] =
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x81\x00\x00\x00\x00\x80\x20\x95\xfd\x29\x17\xa9\x0a";

/// 9×9 pixels in seven passes: red is 20 times the column, green 20 times the row.
const INTERLACED: &str = "iVBORw0KGgoAAAANSUhEUgAAAAkAAAAJCAIAAAEY9KHRAAAAiklEQVR42h2OQREAUQhCXwhDGMIQhiCEIQhh1PXvRWVAAGD5x97uu/rhpps9mDCHs5mHlnl0kkknk+wpTpJDDzPsyQMKBD4ukkqU+JTRVKPG5xZDDRr8fpZatPgFBBFkUEEHCiZwsOd81lFkUUUXKqZwsRd5mSFSlGghMcJir8uVCZOmTBuZMTZrPubvMqGjpS8vAAAAAElFTkSuQmCC";

type Pixel = [u8; 4];

/// A picture's file with these samples.
fn file(width: u32, height: u32, color: ColorType, depth: BitDepth, samples: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![255, 0, 0, 0, 0, 255]);
        encoder.set_trns(vec![255, 128]);
    }
    let mut writer = encoder.write_header().expect("the header is one");
    writer.write_image_data(samples).expect("as many samples as pixels");
    writer.finish().expect("it is whole");
    bytes
}

fn data(media: &str, bytes: &[u8]) -> String {
    format!("data:{media};base64,{}", BASE64_STANDARD.encode(bytes))
}

/// A client of an indexer that is far away and never asked.
fn far(options: ClientOptions) -> IndexerClient {
    IndexerClient::new("http://indexer.invalid", options).expect("the address is one")
}

async fn picture(uri: &str) -> Result<Arc<Picture>, ApiError> {
    far(options()).picture(uri).await
}

fn sentence(error: &ApiError) -> String {
    assert!(!error.is_transient() && error.step() == Step::Shape, "{error:?}");
    error.to_string()
}

#[tokio::test]
async fn metadata_is_found_after_redirects_and_every_exchange_is_kept() {
    let server = Replay::scripted(|seen, _| match seen.target.as_str() {
        "/m/1" => Answer::text(302, "").with("location", "../n/1.json"),
        "/n/1.json" => Answer::json(r#"{"name":"One","image":"1.png","attributes":[{"trait_type":"a","value":1}]}"#),
        target => Answer::text(307, "").with("location", format!("{target}x")),
    })
    .await;
    let client = client_of(&server);
    let metadata = client.metadata(&format!("{}/m/1", server.url())).await.unwrap();
    assert_eq!((metadata.name.as_str(), metadata.traits.len()), ("One", 1));
    assert_eq!(metadata.image.as_deref(), Some(format!("{}/m/1.png", server.url()).as_str()));
    let log = client.exchanges().snapshot();
    let outcomes: Vec<_> = log.iter().map(|exchange| exchange.outcome.clone()).collect();
    assert_eq!(outcomes, [ExchangeOutcome::Status(302), ExchangeOutcome::Status(200)]);
    assert!(log[1].url.ends_with("/n/1.json") && log[1].body.starts_with("{\"name\""));
    let error = client.metadata(&format!("{}/z", server.url())).await.unwrap_err();
    assert_eq!(sentence(&error), "the server redirects more than 4 times");
    assert_eq!(server.seen().len(), 2 + 5);
}

#[tokio::test]
async fn ipfs_is_asked_for_at_the_gateway_which_may_lie_anywhere() {
    let gateway = Replay::scripted(|seen, _| match seen.target.as_str() {
        "/x/ipfs/QmAb/7.json" => Answer::json(r#"{"image":"ipfs://QmAb/7.png"}"#),
        "/x/ipfs/QmAb/7.png" => {
            let png = file(2, 1, ColorType::Grayscale, BitDepth::Eight, &[0, 200]);
            Answer::Full(200, vec![("content-type", "image/png".to_owned())], png)
        }
        "/x/ipfs/QmOut" => Answer::text(301, "").with("location", "http://127.0.0.1:1/admin"),
        _ => Answer::text(404, "no such content"),
    })
    .await;
    let client = far(ClientOptions { ipfs_gateway: Some(format!("{}/x/ipfs/", gateway.url())), ..options() });
    let metadata = client.metadata("ipfs://QmAb/7.json").await.unwrap();
    let picture = client.picture(metadata.image.as_deref().unwrap()).await.unwrap();
    assert_eq!((picture.width, picture.height, picture.pixel(1, 0)), (2, 1, Some([200, 200, 200, 255])));
    let log = client.exchanges().snapshot();
    assert!(log[0].body.contains("7.png") && log[1].body.is_empty() && log[1].bytes > 50, "a picture has no text");
    let error = client.metadata("ipfs://QmNone").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound("no such content".into()));
    let error = client.metadata("ipfs://QmOut").await.unwrap_err();
    assert!(sentence(&error).contains("private network"), "{error}");
    assert!(
        IndexerClient::new("http://a.example", ClientOptions { ipfs_gateway: Some("x".into()), ..options() }).is_err()
    );
}

#[tokio::test]
async fn private_hosts_are_not_asked_but_an_indexer_on_this_machine_itself() {
    let server = Replay::always(Answer::json("{}")).await;
    let uri = format!("{}/secret", server.url());
    let client = far(options());
    for uri in [uri.clone(), uri.replace("127.0.0.1", "localhost"), uri.replace("127.0.0.1", "2130706433")] {
        let error = client.metadata(&uri).await.unwrap_err();
        assert!(sentence(&error).contains("private network"), "{error}");
    }
    assert!(server.seen().is_empty() && client.exchanges().snapshot().is_empty());
    let near = client_of(&server);
    assert!(near.metadata(&uri).await.is_ok());
    // Another port of this machine may be anything, however it is written.
    let other = Replay::always(Answer::json("{}")).await;
    let port = other.url().rsplit_once(':').expect("it has a port").1;
    for host in
        ["127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "user:pw@127.0.0.1", "①②⑦.⓪.⓪.①"]
    {
        let error = near.metadata(&format!("http://{host}:{port}/x")).await.unwrap_err();
        assert!(sentence(&error).contains("private network"), "{host}: {error}");
    }
    let away = Replay::always(Answer::text(302, "").with("location", format!("{}/x", other.url()))).await;
    let error = client_of(&away).metadata(away.url()).await.unwrap_err();
    assert!(sentence(&error).contains("private network"), "{error}");
    assert!(other.seen().is_empty(), "it was asked");
    for private in ["http://10.0.0.1/x", "http://192.168.0.1/x", "http://169.254.169.254/x", "http://[fd00::1]/x"] {
        let error = near.metadata(private).await.unwrap_err();
        assert!(sentence(&error).contains("private network"), "{error}");
    }
    let server = Replay::always(Answer::text(302, "").with("location", "http://10.0.0.1/admin")).await;
    let error = client_of(&server).metadata(server.url()).await.unwrap_err();
    assert!(sentence(&error).contains("private network"), "{error}");
}

#[tokio::test]
async fn what_is_too_large_or_too_slow_is_given_up() {
    let headers = vec![("content-type", "application/json".to_owned()), ("content-encoding", "gzip".to_owned())];
    let bomb = Answer::Full(200, headers, [BLANKS, &[0; 1200]].concat());
    let server = Replay::in_turn(vec![bomb, Answer::json(" ".repeat((4 << 20) + 1))]).await;
    let client = client_of(&server);
    assert_eq!(sentence(&client.metadata(server.url()).await.unwrap_err()), "larger than 1 MiB");
    assert_eq!(sentence(&client.picture(server.url()).await.unwrap_err()), "larger than 4 MiB");
    let inline = format!("data:,{}", "x".repeat((1 << 20) + 1));
    assert_eq!(sentence(&client.metadata(&inline).await.unwrap_err()), "larger than 1 MiB");

    let server = Replay::always(Answer::Stall(b"HTTP/1.1 200 OK\r\n")).await;
    let timeout = Duration::from_millis(60);
    let client = IndexerClient::new(server.url(), ClientOptions { timeout, ..options() }).unwrap();
    let error = client.metadata(server.url()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Timeout(timeout));
    assert_eq!(server.seen().len(), 1, "one try");
    assert!(matches!(&client.exchanges().snapshot()[0].outcome, ExchangeOutcome::Failed(_)));
}

#[tokio::test]
async fn what_is_no_metadata_is_named_and_kept_for_the_inspector() {
    let page = Answer::typed(200, "text/html; charset=utf-8", "<html>parked</html>");
    let server = Replay::in_turn(vec![page, Answer::text(500, "oops")]).await;
    let client = client_of(&server);
    let error = client.metadata(server.url()).await.unwrap_err();
    assert_eq!(sentence(&error), "the metadata is text/html, not a JSON object");
    assert_eq!(error.body.as_deref(), Some("<html>parked</html>"));
    assert_eq!(error.advice(), "the NFT's creator chose this link");
    let error = client.metadata(server.url()).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Server { status: 500, .. }), "{error:?}");
    assert_eq!(sentence(&client.metadata("").await.unwrap_err()), "the NFT has no metadata link");
    assert_eq!(server.seen().len(), 2);
}

#[tokio::test]
async fn pictures_of_every_kind_are_decoded() {
    let (red, blue) = ([255, 0, 0, 255], [0, 0, 255, 128]);
    let cases: [(ColorType, BitDepth, &[u8], Pixel, Pixel); 6] = [
        (ColorType::Indexed, BitDepth::Eight, &[0, 1], red, blue),
        (ColorType::Indexed, BitDepth::One, &[0b0100_0000], red, blue),
        (ColorType::Grayscale, BitDepth::Four, &[0x0f], [0, 0, 0, 255], [255; 4]),
        (ColorType::GrayscaleAlpha, BitDepth::Eight, &[9, 8, 7, 6], [9, 9, 9, 8], [7, 7, 7, 6]),
        (
            ColorType::Rgb,
            BitDepth::Sixteen,
            &[1, 99, 2, 99, 3, 99, 4, 99, 5, 99, 6, 99],
            [1, 2, 3, 255],
            [4, 5, 6, 255],
        ),
        (ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4], [5, 6, 7, 8]),
    ];
    for (color, depth, samples, left, right) in cases {
        let picture = picture(&data("image/png", &file(2, 1, color, depth, samples))).await.unwrap();
        assert_eq!((picture.pixel(0, 0), picture.pixel(1, 0)), (Some(left), Some(right)), "{color:?} {depth:?}");
        assert_eq!((picture.pixel(2, 0), picture.pixel(0, 1)), (None, None));
    }
    let interlaced = picture(&format!("data:;base64,{INTERLACED}")).await.unwrap();
    for (x, y) in (0..9).flat_map(|y| (0..9).map(move |x| (x, y))) {
        let expected = [x, y].map(|place| u8::try_from(20 * place).unwrap());
        assert_eq!(interlaced.pixel(x, y), Some([expected[0], expected[1], 0, 255]), "{x} {y}");
    }
}

#[tokio::test]
async fn a_large_picture_becomes_a_small_one_with_the_same_look() {
    // Left half: black and white in turn. Right half: red that one in two pixels shows, and green that none does.
    let pixel = |x: usize, y: usize| match (x < 300, (x + y) % 2) {
        (true, 0) => [0, 0, 0, 255],
        (true, _) => [255, 255, 255, 255],
        (false, 0) => [255, 0, 0, 255],
        (false, _) => [0, 255, 0, 0],
    };
    let samples: Vec<u8> = (0..1024).flat_map(|y| (0..600).flat_map(move |x| pixel(x, y))).collect();
    let small =
        picture(&data("image/png", &file(600, 1024, ColorType::Rgba, BitDepth::Eight, &samples))).await.unwrap();
    assert_eq!((small.width, small.height, small.rgba.len()), (150, 256, 150 * 256 * 4));
    assert_eq!(small.pixel(10, 10), Some([128, 128, 128, 255]));
    assert_eq!(small.pixel(140, 200), Some([255, 0, 0, 128]), "what is not seen gives no colour");
    let line = picture(&data("", &file(4096, 1, ColorType::Grayscale, BitDepth::Eight, &[7; 4096]))).await.unwrap();
    assert_eq!((line.width, line.height, line.pixel(255, 0)), (256, 1, Some([7, 7, 7, 255])));
}

#[tokio::test]
async fn what_is_no_picture_for_a_terminal_is_named() {
    let whole = file(2, 2, ColorType::Grayscale, BitDepth::Eight, &[1; 4]);
    let wide = file(4097, 1, ColorType::Grayscale, BitDepth::Eight, &[0; 4097]);
    let cases: [(&str, &[u8], &str); 7] = [
        ("image/png", b"\xff\xd8\xff\xe0", "the picture is image/jpeg; rollscope shows only PNG"),
        ("text/plain", b" <svg xmlns=''/>", "the picture is image/svg+xml; rollscope shows only PNG"),
        ("", b"GIF89a", "the picture is image/gif; rollscope shows only PNG"),
        ("image/avif", b"....ftypavif", "the picture is image/avif; rollscope shows only PNG"),
        ("", b"?", "the picture is data of unknown type; rollscope shows only PNG"),
        ("image/png", &wide, "the picture has 4097×1 pixels; at most 4096 per side"),
        ("image/png", &whole[..whole.len() - 20], "the picture is not a valid PNG: "),
    ];
    for (media, bytes, expected) in cases {
        let error = picture(&data(media, bytes)).await.unwrap_err();
        assert!(sentence(&error).starts_with(expected), "{error}");
        assert!(error.url.chars().count() <= 300);
    }
}
