//! Root certificates for `fetch`: Mozilla's, plus the files that `SSL_CERT_FILE` and `NODE_EXTRA_CA_CERTS` name. Read at the first TLS connection.

use std::io::BufReader;
use std::sync::OnceLock;

use deno_error::JsErrorBox;
use deno_tls::rustls::RootCertStore;
use deno_tls::{RootCertStoreProvider, create_default_root_cert_store, load_certs};

#[derive(Default)]
pub struct CertificatesOfEnvironment {
    store: OnceLock<Result<RootCertStore, String>>,
}

impl RootCertStoreProvider for CertificatesOfEnvironment {
    fn get_or_try_init(&self) -> Result<&RootCertStore, JsErrorBox> {
        self.store.get_or_init(load).as_ref().map_err(|message| JsErrorBox::generic(message.clone()))
    }
}

fn load() -> Result<RootCertStore, String> {
    let mut store = create_default_root_cert_store();
    for variable in ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"] {
        let Some(path) = std::env::var_os(variable).filter(|path| !path.is_empty()) else { continue };
        let shown = format!("{variable}={}", path.to_string_lossy());
        let file = std::fs::File::open(&path).map_err(|error| format!("{shown}: {error}"))?;
        let certificates = load_certs(&mut BufReader::new(file)).map_err(|error| format!("{shown}: {error}"))?;
        for certificate in certificates {
            store.add(certificate).map_err(|error| format!("{shown}: {error}"))?;
        }
    }
    Ok(store)
}
