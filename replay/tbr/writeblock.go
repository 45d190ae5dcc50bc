package tbr

// begin starts the block of the next frame.
func (w *Writer) begin() {
	at := int(w.next % uint32(w.block))
	fresh := w.next%uint32(w.segment) == 0
	w.leads = fresh || w.index.empty()
	w.current.begin(w.next/uint32(w.block), w.block-at, fresh || w.next == w.header.First)
	w.open, w.ordered = true, 0
	if w.stated != 0 {
		w.lead(true)
		w.chunk(KindKeyframe, w.stated, w.state)
		w.stated = 0
	}
}

// lead records where a segment begins, if the next chunk begins one.
func (w *Writer) lead(keyframe bool) {
	if w.leads {
		w.index.begin(w.at(), keyframe)
		w.leads = false
	}
}

// endBlock writes the block, and its hashes unless one is still missing.
func (w *Writer) endBlock() {
	w.writeOrders()
	payload, flags := w.current.append(w.spare[:0])
	w.lead(false)
	w.chunk(KindFrames, flags, payload)
	w.spare, w.open = payload[:0], false
	if w.hashes.missing == 0 {
		w.writeHashes()
	}
}

func (w *Writer) writeOrders() {
	if len(w.orders) == 0 {
		return
	}
	data, flag := w.packer.pack(w.spare, w.orders)
	w.lead(false)
	w.chunk(KindOrders, Required|Body|flag, data)
	if flag != 0 {
		w.spare = data[:0]
	}
	w.orders = w.orders[:0]
}

func (w *Writer) writeHashes() {
	if payload := w.hashes.take(); len(payload) > 0 {
		w.chunk(KindHashes, Body, payload)
	}
}
