//! REST client of any Cosmos chain for signing and broadcasting.

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::{
    base_url::{BaseUrl, BaseUrlError},
    decoding,
    endpoints::encoded,
    options::ClientOptions,
    target::{RequestTarget, RetryPolicy},
    transport::Transport,
};
use crate::{
    domain::{Address, Coin, Denom, GasPrice, TxHash},
    signing::HeldCoins,
    wire::{
        ApiError, ErrorKind, RawJson, Tx,
        node::{
            AccountInfoAnswer, BalancesAnswer, BlockHeader, BroadcastAnswer, BroadcastBody, BroadcastResponse,
            EvmCallAnswer, EvmCodeAnswer, EvmContractAnswer, EvmStateAnswer, GasPriceAnswer, GasPricesAnswer,
            LatestBlockAnswer, NodeConfigAnswer, OpchildParamsAnswer, SimulateAnswer, SimulateBody, TxSearchAnswer,
            WasmCodeAnswer, WasmContractAnswer, WasmContractInfo,
        },
    },
};

/// Maximum bank balances of an account to request.
const BALANCES: usize = 500;

/// Client of one chain's REST. Methods need a tokio runtime.
pub struct SendingClient {
    transport: Transport,
}

/// What a node tells of a simulated transaction.
#[derive(Clone, Debug)]
pub struct SimulationAnswer {
    pub gas_used: u64,
    /// JSON list of events; `None` if the node omits it.
    pub events: Option<RawJson>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SigningAccount {
    pub number: u64,
    pub sequence: u64,
}

impl SendingClient {
    pub fn new(rest: &str, options: ClientOptions) -> Result<Self, BaseUrlError> {
        Ok(Self { transport: Transport::new(BaseUrl::parse(rest)?, options) })
    }

    /// Requests an account; `None` if the chain does not know it. Such an account cannot pay fees.
    pub async fn account(&self, address: &str) -> Result<Option<SigningAccount>, ApiError> {
        let target = RequestTarget::get(format!("/cosmos/auth/v1beta1/account_info/{address}"));
        let answer: AccountInfoAnswer = match self.ask(&target).await {
            Err(error) if error.is_not_found() => return Ok(None),
            answer => answer?,
        };
        let number = |text: &str, path| text.parse().map_err(|_| self.misread(path, text));
        let number_of = number(&answer.info.account_number, "info.account_number")?;
        let sequence = number(&answer.info.sequence, "info.sequence")?;
        Ok(Some(SigningAccount { number: number_of, sequence }))
    }

    /// Requests the gas prices from the chain: the L1's or the rollup's parameters, else the node's minimum. Empty if
    /// the chain states none.
    pub async fn gas_prices(&self) -> Result<Vec<GasPrice>, ApiError> {
        let price = |answer: GasPriceAnswer| GasPrice::new(Denom::new(answer.denom), &answer.amount).ok();
        let listed: Result<GasPricesAnswer, _> = self.ask(&RequestTarget::get("/initia/tx/v1/gas_prices")).await;
        if let Ok(answer) = listed {
            return Ok(answer.gas_prices.into_iter().filter_map(price).collect());
        }
        let rollup: Result<OpchildParamsAnswer, _> = self.ask(&RequestTarget::get("/opinit/opchild/v1/params")).await;
        if let Ok(answer) = rollup {
            return Ok(answer.params.min_gas_prices.into_iter().filter_map(price).collect());
        }
        let config: NodeConfigAnswer = self.ask(&RequestTarget::get("/cosmos/base/node/v1beta1/config")).await?;
        let prices = config.minimum_gas_price.split(',').map(str::trim).map(|text| {
            let digits = text.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(text.len());
            let (price, denom) = text.split_at(digits);
            (!denom.is_empty()).then(|| GasPrice::new(Denom::new(denom), price).ok()).flatten()
        });
        Ok(prices.flatten().collect())
    }

    pub async fn simulate(&self, raw: &[u8]) -> Result<SimulationAnswer, ApiError> {
        let body = SimulateBody { tx_bytes: BASE64_STANDARD.encode(raw) };
        // A transaction that fails is an HTTP 500, however often the node is asked.
        let target = RequestTarget::post("/cosmos/tx/v1beta1/simulate", &body).retried(RetryPolicy::NotServerErrors);
        let answer: SimulateAnswer = self.ask(&target).await?;
        let used = &answer.gas_info.gas_used;
        let gas_used = used.parse().map_err(|_| self.misread("gas_info.gas_used", used))?;
        Ok(SimulationAnswer { gas_used, events: answer.result.and_then(|result| result.events) })
    }

    /// Requests an account's bank balances; `None` if the account has more denoms than one page.
    pub async fn balances(&self, address: &str) -> Result<Option<HeldCoins>, ApiError> {
        let path = format!("/cosmos/bank/v1beta1/balances/{address}?pagination.limit={BALANCES}");
        let received = self.transport.ask(&RequestTarget::get(path), None, None).await?;
        let height = received.height;
        let answer: BalancesAnswer = decoding::decode(received).await?;
        let held = answer.balances.into_iter().map(|coin| Coin { denom: Denom::new(coin.denom), amount: coin.amount });
        Ok(answer.pagination.next_key.is_empty().then(|| HeldCoins { coins: held.collect(), height }))
    }

    /// Broadcasts a signed transaction. Never retried: the node may have accepted it before the failure.
    pub async fn broadcast(&self, raw: &[u8]) -> Result<BroadcastResponse, ApiError> {
        let body = BroadcastBody { tx_bytes: BASE64_STANDARD.encode(raw), mode: "BROADCAST_MODE_SYNC" };
        let target = RequestTarget::post("/cosmos/tx/v1beta1/txs", &body).retried(RetryPolicy::Never);
        let answer: BroadcastAnswer = self.ask(&target).await?;
        Ok(answer.tx_response)
    }

    /// Requests the header of a block; of the newest one without a height.
    pub async fn block(&self, height: Option<u64>) -> Result<BlockHeader, ApiError> {
        let name = height.map_or_else(|| "latest".to_owned(), |height| height.to_string());
        let target = RequestTarget::get(format!("/cosmos/base/tendermint/v1beta1/blocks/{name}"));
        Ok(self.ask::<LatestBlockAnswer>(&target).await?.block.header)
    }

    /// Requests the signer's newest transactions.
    pub async fn txs_of(&self, signer: &str, most: u16) -> Result<Vec<Tx>, ApiError> {
        let query = encoded(&format!("message.sender='{signer}'"));
        let path = format!("/cosmos/tx/v1beta1/txs?query={query}&order_by=ORDER_BY_DESC&limit={most}");
        Ok(self.ask::<TxSearchAnswer>(&RequestTarget::get(path)).await?.tx_responses)
    }

    pub async fn has_tx(&self, hash: TxHash) -> Result<bool, ApiError> {
        let target = RequestTarget::get(format!("/cosmos/tx/v1beta1/txs/{hash}"));
        match self.ask::<Value>(&target).await {
            Err(error) if error.is_not_found() => Ok(false),
            answer => answer.map(|_| true),
        }
    }

    /// Requests the code at an address of a MiniEVM; empty without a contract.
    pub async fn evm_code(&self, address: Address) -> Result<Vec<u8>, ApiError> {
        let answer: EvmCodeAnswer =
            self.ask(&RequestTarget::get(format!("/minievm/evm/v1/codes/{}", address.hex()))).await?;
        hex::decode(&answer.code).map_err(|_| self.misshapen("code", &answer.code, "hex"))
    }

    /// Requests the value of a storage slot of a MiniEVM's contract.
    pub async fn evm_storage(&self, address: Address, slot: [u8; 32]) -> Result<[u8; 32], ApiError> {
        let path = format!("/minievm/evm/v1/states/{}/{}", address.hex(), hex::encode_prefixed(slot));
        let answer: EvmStateAnswer = self.ask(&RequestTarget::get(path)).await?;
        let word = hex::decode(&answer.value).ok().and_then(|word| word.try_into().ok());
        word.ok_or_else(|| self.misshapen("value", &answer.value, "32 bytes in hex"))
    }

    /// Requests what a MiniEVM's contract answers to a read.
    pub async fn evm_read(&self, contract: Address, data: &[u8]) -> Result<Vec<u8>, ApiError> {
        let body = json!({
            "sender": Address::Short([0; 20]).bech32(), "contract_addr": contract.hex(),
            "input": hex::encode_prefixed(data), "value": "0",
        });
        let answer: EvmCallAnswer = self.ask(&RequestTarget::post("/minievm/evm/v1/call", &body)).await?;
        hex::decode(&answer.response).map_err(|_| self.misshapen("response", &answer.response, "hex"))
    }

    /// Requests the ERC-20 contract of a MiniEVM's denom.
    pub async fn contract_of(&self, denom: &Denom) -> Result<Address, ApiError> {
        let path = format!("/minievm/evm/v1/contracts/by_denom?denom={}", encoded(denom.as_str()));
        let answer: EvmContractAnswer = self.ask(&RequestTarget::get(path)).await?;
        answer.address.parse().map_err(|_| self.misshapen("address", &answer.address, "an address"))
    }

    /// Requests checksum and admin of a Wasm contract.
    pub async fn wasm_code(&self, contract: &str) -> Result<(String, Option<String>), ApiError> {
        let path = format!("/cosmwasm/wasm/v1/contract/{}", encoded(contract));
        let WasmContractInfo { code_id, admin, .. } =
            self.ask::<WasmContractAnswer>(&RequestTarget::get(path)).await?.contract_info;
        let path = format!("/cosmwasm/wasm/v1/code/{}", encoded(&code_id));
        let answer: WasmCodeAnswer = self.ask(&RequestTarget::get(path)).await?;
        Ok((answer.code_info.data_hash, Some(admin).filter(|admin| !admin.is_empty())))
    }

    async fn ask<T: serde::de::DeserializeOwned + Send + 'static>(
        &self,
        target: &RequestTarget,
    ) -> Result<T, ApiError> {
        decoding::decode(self.transport.ask(target, None, None).await?).await
    }

    fn misread(&self, path: &str, found: &str) -> ApiError {
        self.misshapen(path, found, "a number")
    }

    fn misshapen(&self, path: &str, found: &str, expected: &str) -> ApiError {
        let detail = format!("“{}” is not {expected}", crate::domain::text::clip(found, 40));
        let kind = ErrorKind::BadShape { path: path.to_owned(), detail };
        ApiError { kind, url: self.transport.base.join("").into(), body: None }
    }
}
