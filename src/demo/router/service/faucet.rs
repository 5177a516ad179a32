//! Faucet: the demo wallet funds a user's own wallet.

use super::{NATIVE, RouterCall, RouterService, RouterState};
use crate::{
    demo::{
        ledger::{External, TokenOrigin},
        router::{
            error::RouterError,
            light::{BalanceMovement, LightTxRequest},
        },
    },
    domain::{Address, Amount, ChainId, Height, text::clip},
    wire::router::{ChainKind, FaucetGift, FaucetTx},
};

/// Maximum number of payments.
const MOST: u32 = 100;

/// Amount of each rollup token in a payment, in display units.
const ON_ROLLUP: &str = "40";

/// Maximum amount of each token on another chain in a payment, in display units.
const ELSEWHERE: &str = "300";

/// Number of tokens in a payment on another chain.
const TOKENS: usize = 2;

impl RouterService {
    /// Funds an account from the demo wallet. `init1…` and `0x…` addresses get funds on rollup, L1 and EVM chain; other
    /// addresses on their own chain.
    pub fn fund(&self, address: &str, call: RouterCall<'_>) -> Result<FaucetGift, RouterError> {
        let text = address.trim();
        // The chain would zero-pad a shorter hex address, but here it is more likely a typo.
        let is_whole = !text.starts_with("0x") || text.len() == 42;
        let own: Option<Address> = text.parse().ok().filter(|address| matches!(address, Address::Short(_)) && is_whole);
        let mut places = Vec::new();
        for chain in self.world.chains() {
            let is_rollup = chain.chain_id.as_str() == self.world.rollup().chain_id;
            let is_other_rollup = !is_rollup && self.world.rollup_of(&chain.chain_id).is_some();
            let form = match own {
                Some(own) if chain.kind() == ChainKind::Evm => Some(own.checksummed()),
                Some(own) if chain.bech32_prefix == "init" && !is_other_rollup => Some(own.bech32()),
                None if text.starts_with(&format!("{}1", chain.bech32_prefix)) && chain.kind() == ChainKind::Cosmos => {
                    bech32::decode(text).ok().filter(|(_, bytes)| bytes.len() == 20).map(|_| text.to_owned())
                }
                _ => None,
            };
            places.extend(form.map(|form| (chain.chain_id, form)));
        }
        if places.is_empty() {
            let text = clip(text, 70);
            return Err(RouterError::invalid(format!("“{text}” is not an account of a chain of this demo")));
        }
        self.with_state(call, |state, accepted| {
            if state.funded >= MOST {
                return Err(RouterError::invalid(format!("the faucet's limit of {MOST} payments is reached")));
            }
            if !call.rollup.is_current() {
                return Err(RouterError::unavailable("the rollup is catching up"));
            }
            let mut gift = FaucetGift::default();
            for (chain_id, address) in places {
                if chain_id.as_str() == self.world.rollup().chain_id {
                    self.fund_on_rollup(&address, (state, accepted), call, &mut gift)?;
                } else {
                    self.fund_elsewhere(&chain_id, &address, state, call, &mut gift)?;
                }
            }
            state.funded += 1;
            state.is_changed = true;
            Ok(gift)
        })
    }

    /// Pays the fee token and the first bridged tokens.
    fn fund_on_rollup(
        &self,
        address: &str,
        (state, accepted): (&mut RouterState, &mut Vec<(Height, External)>),
        call: RouterCall<'_>,
        gift: &mut FaucetGift,
    ) -> Result<(), RouterError> {
        let rollup = self.world.rollup();
        let to: Address = address.parse().map_err(|_| RouterError::invalid("not an account of the rollup"))?;
        let fee = rollup.tokens.first();
        let bridged = rollup.tokens.iter().find(|token| matches!(token.origin, TokenOrigin::Bridged { .. }));
        let second = bridged.filter(|token| fee.is_some_and(|fee| fee.denom != token.denom));
        for token in fee.into_iter().chain(second) {
            let (denom, amount) = (token.denom.clone(), display(ON_ROLLUP, token.decimals));
            let external = External::BankSend { sender: rollup.wallet, to, denom: denom.clone(), amount };
            let submitted = self
                .context(&mut state.light, call, accepted)
                .submit(external)
                .map_err(|error| RouterError::invalid(format!("the rollup rejected the payment: {error}")))?;
            gift.given.push(FaucetTx {
                chain_id: ChainId::new(rollup.chain_id),
                address: address.to_owned(),
                tx_hash: submitted.tx_hash.to_string(),
                denom,
                amount: amount.to_string(),
            });
        }
        Ok(())
    }

    fn fund_elsewhere(
        &self,
        chain_id: &ChainId,
        address: &str,
        state: &mut RouterState,
        call: RouterCall<'_>,
        gift: &mut FaucetGift,
    ) -> Result<(), RouterError> {
        let wallet = self.signer(chain_id)?;
        let listed = self.world.assets(std::slice::from_ref(chain_id));
        let assets = listed.chain_to_assets_map.get(chain_id).map_or(&[][..], |list| &list.assets);
        // Accounts need the native coin for fees.
        let native = assets.iter().find(|asset| asset.denom.as_str() == NATIVE);
        let others = assets.iter().filter(|asset| asset.denom.as_str() != NATIVE);
        for asset in native.into_iter().chain(others).take(TOKENS) {
            let held = state.light.get(chain_id).map(|chain| chain.balance(wallet, &asset.denom)).unwrap_or_default();
            // The wallet holds little of an expensive token.
            let most = Amount::new(held.get() / alloy_primitives::U256::from(MOST));
            let amount = display(ELSEWHERE, asset.decimals.unwrap_or_default()).min(most);
            let events = vec![
                BalanceMovement::spent(wallet, &asset.denom, amount),
                BalanceMovement::received(address, &asset.denom, amount),
            ];
            let message = [&self.identity.to_be_bytes()[..], address.as_bytes()].concat();
            let what = "the faucet pays".to_owned();
            let request = LightTxRequest { what, message: &message, success: true, events };
            let sent = state.light.send(chain_id, request, call.now);
            let sent = sent.ok_or_else(|| RouterError::not_found("chain ID not supported"))?;
            gift.given.push(FaucetTx {
                chain_id: chain_id.clone(),
                address: address.to_owned(),
                tx_hash: sent.tx_hash,
                denom: asset.denom.clone(),
                amount: amount.to_string(),
            });
        }
        Ok(())
    }
}

fn display(text: &str, decimals: u8) -> Amount {
    Amount::from_display(text, decimals).unwrap_or_default()
}
