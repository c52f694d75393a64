// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause

// usage: cilium_reader MAP_FD RING_BYTES WATERMARK
//
// Reads a perf event array by cilium/ebpf's perf.Reader, as its users do; with a WATERMARK also
// reuses the record (ReadInto).  Protocol: readers.c.
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"strconv"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/cilium/ebpf"
	"github.com/cilium/ebpf/perf"
	"golang.org/x/sys/unix"
)

// Longer than the scheduler delays a reader that is runnable.
const quietNs = 4000000

var delivered, checksum uint64

func nowNs() int64 {
	var now unix.Timespec

	if err := unix.ClockGettime(unix.CLOCK_MONOTONIC, &now); err != nil {
		log.Fatal(err)
	}
	return now.Nano()
}

func argument(i int) int {
	value, err := strconv.Atoi(os.Args[i])
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func count(record *perf.Record) {
	if record.LostSamples > 0 {
		return
	}
	checksum += *(*uint64)(unsafe.Pointer(&record.RawSample[0]))
	atomic.AddUint64(&delivered, 1)
}

func readEach(reader *perf.Reader) {
	for {
		record, err := reader.Read()
		if err != nil {
			log.Fatal(err)
		}
		count(&record)
	}
}

func readReusing(reader *perf.Reader) {
	var record perf.Record

	for {
		if err := reader.ReadInto(&record); err != nil {
			log.Fatal(err)
		}
		count(&record)
	}
}

// Events below the watermark stay in the ring: perf.Reader cannot read them.
func report() {
	total := atomic.LoadUint64(&delivered)
	last := nowNs()

	for nowNs()-last < quietNs {
		time.Sleep(200 * time.Microsecond)
		if now := atomic.LoadUint64(&delivered); now != total {
			total, last = now, nowNs()
		}
	}
	fmt.Println(total, last)
}

func main() {
	array, err := ebpf.NewMapFromFD(argument(1))
	if err != nil {
		log.Fatal(err)
	}
	watermark := argument(3)
	reader, err := perf.NewReaderWithOptions(array, argument(2),
		perf.ReaderOptions{Watermark: watermark})
	if err != nil {
		log.Fatal(err)
	}
	if watermark > 0 {
		go readReusing(reader)
	} else {
		go readEach(reader)
	}
	fmt.Println("ready")
	for input := bufio.NewScanner(os.Stdin); input.Scan(); {
		report()
	}
}
