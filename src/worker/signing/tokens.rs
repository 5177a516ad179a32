use tokio::time::timeout;

use super::{
    SigningFailure,
    simulation::{PATIENCE, host_of},
};
use crate::{
    client::{ClientOptions, SendingClient},
    domain::{Address, Denom},
    signing::{ChainTrust, OfferLine, OfferLineKind},
};

/// Asks a node that no router named for the contract of each denom of which another contract gets an allowance. Returns
/// a line per denom; fails if the node names another contract than the router.
pub(super) async fn check_tokens(
    tokens: &[(Denom, Address)],
    trust: &ChainTrust,
    options: &ClientOptions,
) -> Result<Vec<OfferLine>, SigningFailure> {
    let mut lines = Vec::new();
    for (denom, token) in tokens {
        let token = token.checksummed();
        let unproven = |why: &str| {
            let text = format!("{token}: nothing proves that it is the contract of {}, since {why}", denom.marked());
            OfferLine::new("Token", OfferLineKind::Warning, &text)
        };
        let Some(rest) = &trust.rest else {
            lines.push(unproven("only the router names servers of the chain"));
            continue;
        };
        let host = host_of(rest);
        let asked = async {
            let client = SendingClient::new(rest, options.clone()).map_err(|error| error.to_string())?;
            client.contract_of(denom).await.map_err(|error| error.brief())
        };
        let late = || Err(format!("no answer within {} s", PATIENCE.as_secs()));
        lines.push(match timeout(PATIENCE, asked).await.unwrap_or_else(|_| late()) {
            Ok(known) if known.checksummed() == token => {
                let text = format!("{token} is the contract of {}, per {host}", denom.marked());
                OfferLine::new("Token", OfferLineKind::Plain, &text)
            }
            Ok(known) => {
                let (denom, known) = (denom.clone(), known.checksummed());
                return Err(SigningFailure::OtherToken { denom, found: token, known, host });
            }
            Err(why) => unproven(&format!("{host}: {why}")),
        });
    }
    Ok(lines)
}
