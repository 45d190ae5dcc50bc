const go = new Go();
WebAssembly.instantiateStreaming(fetch("game.wasm"), go.importObject)
	.then((r) => go.run(r.instance))
	.catch((e) => { document.getElementById("text").textContent = e; });
