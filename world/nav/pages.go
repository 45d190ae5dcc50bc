package nav

// history is the number of contents remembered for each sector: in a rollback, a sector goes back to an earlier
// content, and forward again.
const history = 4

// pages identifies the contents of sectors: each content of a sector gets a unique serial number. A forgotten content
// gets a new serial when it comes back; then everything derived from it has to be computed again.
type pages struct {
	kept    []remembered // history entries per sector
	current []uint8      // for each sector, which entry is its current content
	serials []uint32     // the serial numbers of the current contents
	last    uint32       // the newest serial
}

type remembered struct {
	serial uint32 // 0 if the entry is not in use
	page   Page
}

func newPages(sectors int) *pages {
	return &pages{kept: make([]remembered, sectors*history), current: make([]uint8, sectors), serials: make([]uint32, sectors)}
}

// show sets the current content of a sector, and reports whether it has changed.
func (p *pages) show(sector int, page *Page) bool {
	list := p.kept[sector*history : (sector+1)*history]
	now := &list[p.current[sector]]
	if now.serial != 0 && now.page == *page {
		return false
	}
	oldest := 0
	for i := range list {
		if k := &list[i]; k.serial != 0 && k.page == *page {
			p.current[sector], p.serials[sector] = uint8(i), k.serial
			return true
		}
		// Never replace the current content: most changes are soon undone, and then it is needed again.
		if i != int(p.current[sector]) && (oldest == int(p.current[sector]) || list[i].serial < list[oldest].serial) {
			oldest = i
		}
	}
	p.last++
	list[oldest] = remembered{p.last, *page}
	p.current[sector], p.serials[sector] = uint8(oldest), p.last
	return true
}

// page returns the current content of a sector.
func (p *pages) page(sector int) *Page {
	return &p.kept[sector*history+int(p.current[sector])].page
}
