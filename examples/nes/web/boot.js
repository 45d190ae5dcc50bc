const go = new Go();
WebAssembly.instantiateStreaming(fetch(document.currentScript.dataset.wasm), go.importObject)
	.then((r) => go.run(r.instance))
	.catch((e) => { document.getElementById("text").textContent = e; });
