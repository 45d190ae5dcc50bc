package tbr

// begin starts the block of the next frame.
func (w *Writer) begin() {
	at, fresh := w.next%w.block, w.next%w.segment == 0
	w.out.block(fresh)
	w.current.begin(w.next/w.block, int(w.block-at), fresh || w.next == w.header.First)
	w.orders.begin()
	w.open = true
	if state, flags := w.keyframes.take(); flags != 0 {
		w.out.inBlock(KindKeyframe, flags, state)
	}
}

// endBlock writes the block, and its hashes unless one is still missing.
func (w *Writer) endBlock() {
	w.writeOrders()
	payload, flags := w.current.payload()
	w.out.inBlock(KindFrames, flags, payload)
	w.open = false
	if w.hashes.missing == 0 {
		w.writeHashes()
	}
}

func (w *Writer) writeOrders() {
	if orders := w.orders.take(); len(orders) > 0 {
		data, flag := w.packer.pack(orders)
		w.out.inBlock(KindOrders, Required|Body|flag, data)
	}
}

func (w *Writer) writeHashes() {
	if payload := w.hashes.take(); len(payload) > 0 {
		w.out.chunk(KindHashes, Body, payload)
	}
}
