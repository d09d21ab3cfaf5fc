//! What one address may do: an allowance that refills with time.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};

use tokio::time::Instant;

/// More addresses than this are not remembered one by one; those with a full allowance go first.
const REMEMBERED: usize = 10_000;

/// Whoever shares limits: an IPv4 address, or the network of an IPv6 address, of which everyone has thousands of
/// millions.
pub fn shared(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Allowances of all addresses.
#[derive(Debug, Default)]
pub struct Allowances {
    of: BTreeMap<IpAddr, Allowance>,
}

#[derive(Debug)]
struct Allowance {
    left: f64,
    at: Instant,
}

impl Allowances {
    /// Takes one of `burst` that refill at `per_second`; false if none is left.
    pub fn take(&mut self, address: IpAddr, burst: f64, per_second: f64) -> bool {
        let now = Instant::now();
        let refilled = |allowance: &Allowance| {
            (allowance.left + now.duration_since(allowance.at).as_secs_f64() * per_second).min(burst)
        };
        if self.of.len() >= REMEMBERED {
            self.of.retain(|_, allowance| refilled(allowance) < burst);
        }
        let allowance = self.of.entry(shared(address)).or_insert_with(|| Allowance { left: burst, at: now });
        allowance.left = refilled(allowance);
        allowance.at = now;
        let has_one = allowance.left >= 1.0;
        if has_one {
            allowance.left -= 1.0;
        }
        has_one
    }

    /// Gives an address its whole allowance back.
    pub fn forgive(&mut self, address: IpAddr) {
        self.of.remove(&shared(address));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn one_address_spends_its_own_allowance() {
        let (ada, bob): (IpAddr, IpAddr) = ("192.0.2.1".parse().unwrap(), "192.0.2.2".parse().unwrap());
        let mut allowances = Allowances::default();
        assert_eq!((0..10).filter(|_| allowances.take(ada, 5.0, 1.0)).count(), 5);
        assert!(allowances.take(bob, 5.0, 1.0));
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!((0..10).filter(|_| allowances.take(ada, 5.0, 1.0)).count(), 2);
        allowances.forgive(ada);
        assert!(allowances.take(ada, 5.0, 1.0));
    }

    #[test]
    fn a_network_of_ipv6_is_one_visitor() {
        let addresses =
            ["2001:db8::1", "2001:db8::ffff:1", "::ffff:192.0.2.1"].map(|text| text.parse().unwrap());
        assert_eq!(shared(addresses[0]), shared(addresses[1]));
        assert_eq!(shared(addresses[2]), "192.0.2.1".parse::<IpAddr>().unwrap());
    }
}
