use std::{
    error::Error,
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
};

use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};

#[derive(Debug)]
pub(super) struct PrivateHost;

impl fmt::Display for PrivateHost {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the address is in a private network; rollscope opens no such address for an NFT")
    }
}

impl Error for PrivateHost {}

impl PrivateHost {
    /// Whether [`SsrfGuard`] caused a transport error.
    pub(super) fn is_cause_of(error: &reqwest::Error) -> bool {
        let mut cause = error.source();
        while let Some(source) = cause {
            if source.is::<Self>() {
                return true;
            }
            cause = source.source();
        }
        false
    }
}

/// Whether a URL's literal host is private; [`SsrfGuard`] checks the addresses that a name resolves to.
pub(super) fn names_private_host(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_end_matches('.');
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    match bare.parse() {
        Ok(address) => is_private(address),
        Err(_) => host.is_empty() || host == "localhost" || host.ends_with(".localhost"),
    }
}

/// Resolver that refuses addresses of this machine and of private networks.
pub(super) struct SsrfGuard;

impl Resolve for SsrfGuard {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            let open: Vec<SocketAddr> = found.filter(|found| !is_private(found.ip())).collect();
            if open.is_empty() {
                return Err(PrivateHost.into());
            }
            let addresses: Addrs = Box::new(open.into_iter());
            Ok(addresses)
        })
    }
}

/// Whether an address belongs to this machine, to a private network, or to several hosts (broadcast, multicast).
fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || first == 0
        || first >= 240
        // Carrier-grade NAT, protocol assignments, benchmarking.
        || (first == 100 && (64..128).contains(&second))
        || (first == 192 && second == 0 && third == 0)
        || (first == 198 && (18..20).contains(&second))
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let inner = |high: u16, low: u16| {
        let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
        is_private_v4(Ipv4Addr::new(a, b, c, d))
    };
    match address.segments() {
        // IPv4 in IPv6: mapped, compatible (including `::` and `::1`), translated, 6to4.
        [0, 0, 0, 0, 0, 0xffff | 0, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => {
            inner(high, low)
        }
        [first, ..] => {
            // Unique local, link local and the older site local, multicast.
            first & 0xfe00 == 0xfc00 || first & 0xff80 == 0xfe80 || first & 0xff00 == 0xff00
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_hosts_are_known_in_every_writing() {
        for host in [
            "127.0.0.1",
            "127.1",
            "0x7f000001",
            "2130706433",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "[::1]",
            "[::]",
            "[fe80::1]",
            "[fd00::1]",
            "[fec0::1]",
            "[ff02::1]",
            "[::ffff:10.0.0.1]",
            "[::127.0.0.1]",
            "[64:ff9b::a00:1]",
            "[2002:a00:1::]",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
        ] {
            let url = Url::parse(&format!("http://{host}:8080/x")).unwrap();
            assert!(names_private_host(&url), "{host}");
        }
        for host in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "[2606:4700::1111]", "[::ffff:1.1.1.1]", "a.example"] {
            let url = Url::parse(&format!("http://{host}/x")).unwrap();
            assert!(!names_private_host(&url), "{host}");
        }
    }

    #[tokio::test]
    async fn names_that_lead_to_this_machine_are_refused() {
        use std::str::FromStr as _;
        let name = || Name::from_str("localhost").unwrap();
        let refused = SsrfGuard.resolve(name()).await.err().expect("localhost is this machine");
        assert!(refused.is::<PrivateHost>(), "{refused}");
        let client = crate::client::http_client().no_proxy().tls_certs_only([]).dns_resolver(SsrfGuard);
        let error = client.build().unwrap().get("http://localhost:1/").send().await.unwrap_err();
        assert!(PrivateHost::is_cause_of(&error), "{error:?}");
    }
}
