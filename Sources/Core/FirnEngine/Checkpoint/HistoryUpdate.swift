import FirnCodec
import FirnValues

/// The update of the history for a root that is being published.
struct HistoryUpdate {
    let store: Store
    /// The root that is current before the publication.
    let root: Root
    let change: RootChange

    /// The size in bytes up to which new blobs of commits are merged with the previous one.
    static let chunkByteCount: UInt64 = 64 * 1024

    /// Computes the plan for the new history, and writes it.
    ///
    /// The rest of the new root is already written, so that the space that it frees is known.
    ///
    /// - Returns: The blob of the history, or `nil` if there is none.
    func write(_ writer: inout PageWriter) throws(StoreError) -> PageReference? {
        let before = writer.history
        let freezes = try freezes(&writer)
        let added = try newChunks()
        let spans = before.chunks.map(\.span) + added.map(\.span)
        let frozen = freezes.versions.map(\.version) + change.loggedFreezes
        let plan = decide(before, spans, frozen, writer)
        var history = History()
        history.freezes = freezes
        let kept = Set(plan.roots)
        history.roots = (before.roots + [History.KeptRoot(old)]).filter {
            kept.contains($0.version)
        }
        history.dropped = before.roots.map(\.version).filter { !kept.contains($0) }
        for (chunk, isKept) in zip(before.chunks, plan.keepsSpan) {
            if isKept {
                history.chunks.append(chunk)
            } else {
                writer.space.free(chunk.reference.extent, isBookkeeping: true)
            }
        }
        for (chunk, isKept) in zip(added, plan.keepsSpan[before.chunks.count...]) where isKept {
            try append(chunk, to: &history, &writer)
        }
        return history.isEmpty ? nil : try writer.write(blob: history.encoded())
    }

    /// Returns the freezes of the new root.
    ///
    /// Those of a root of format 1 are taken from its catalog.
    private func freezes(_ writer: inout PageWriter) throws(StoreError) -> FreezeIndex {
        var edits = FreezeEdits(adding: root.catalogFreezes ?? [])
        edits.merge(change.freezes)
        return try writer.history.freezes.applying(
            edits, now: store.now, rewritesAll: writer.prefersLowest, store.pages, &writer)
    }

    private var old: Superblock { root.superblock }

    private func decide(
        _ before: History, _ spans: [HistoryPlan.Span], _ freezes: [LSN], _ writer: PageWriter
    ) -> HistoryPlan {
        var candidates = before.roots.map {
            HistoryPlan.Candidate(version: $0.version, lsn: $0.lsn, content: $0.catalog)
        }
        // The content before the first commit needs no history, unless a freeze names it.
        if old.lsn > .zero || freezes.contains(.zero) {
            candidates.append(
                HistoryPlan.Candidate(
                    version: old.rootVersion, lsn: old.lsn, content: old.catalog))
        }
        let fileByteCount = writer.space.endUnit * UInt64(Extent.unitByteCount)
        return HistoryPlan(
            newest: HistoryPlan.Candidate(version: writer.space.building, lsn: change.lsn),
            candidates: candidates, spans: spans, freezes: freezes,
            policy: change.keepsHistory ? store.options.history : .off,
            heldByteCountMaximum: HistoryPolicy.heldByteCountMaximum(fileByteCount: fileByteCount),
            held: { history, others in
                guard !history.isEmpty else { return [:] }
                return writer.space.heldByteCounts(
                    by: RetainedRoots(history),
                    besides: RetainedRoots(others, ranges: writer.pinned.ranges))
            })
    }

    // MARK: Commits

    /// The frames of one blob that is not written yet.
    private struct NewChunk {
        let span: HistoryPlan.Span
        let bytes: [UInt8]
    }

    /// Returns the commits of the change in chunks.
    ///
    /// - Throws: ``StoreError`` with `corrupt` if one of them does not follow the current root.
    private func newChunks() throws(StoreError) -> [NewChunk] {
        var chunks: [NewChunk] = []
        var builder = ChunkBuilder()
        for frame in change.frames {
            guard frame.lsn > old.lsn, frame.lsn <= change.lsn else {
                throw StoreError(
                    .corrupt, path: store.path,
                    detail: "commit \(frame.lsn.rawValue) does not follow the newest root")
            }
            if !builder.takes(frame) { chunks += builder.finish() }
            builder.add(frame)
        }
        return chunks + builder.finish()
    }

    private struct ChunkBuilder {
        private var bytes: [UInt8] = []
        private var first = LSN.zero
        private var last = LSN.zero
        private var barriers: [LSN] = []

        func takes(_ frame: Frame) -> Bool {
            UInt64(bytes.count) < HistoryUpdate.chunkByteCount && last.next == frame.lsn
        }

        mutating func add(_ frame: Frame) {
            if bytes.isEmpty { first = frame.lsn }
            last = frame.lsn
            if frame.kind == .root { barriers.append(frame.lsn) }
            bytes += frame.encoded()
        }

        mutating func finish() -> [NewChunk] {
            guard !bytes.isEmpty else { return [] }
            let span = HistoryPlan.Span(
                first: first, last: last, byteCount: UInt64(bytes.count), barriers: barriers)
            defer { self = ChunkBuilder() }
            return [NewChunk(span: span, bytes: bytes)]
        }
    }

    /// Writes a chunk, merged with the previous chunks that are not larger.
    ///
    /// Each commit is rewritten once per doubling, so that n small ones cost O(n log n) bytes and
    /// leave few blobs.
    private func append(
        _ chunk: NewChunk, to history: inout History, _ writer: inout PageWriter
    ) throws(StoreError) {
        var bytes = chunk.bytes
        var span = chunk.span
        while let last = history.chunks.last, last.last.next == span.first,
            last.byteCount <= span.byteCount,
            last.byteCount + span.byteCount <= HistoryUpdate.chunkByteCount
        {
            bytes = try store.pages.blob(last.reference, context: "history") + bytes
            span = HistoryPlan.Span(
                first: last.first, last: span.last, byteCount: last.byteCount + span.byteCount,
                barriers: last.barriers + span.barriers)
            writer.space.free(last.reference.extent, isBookkeeping: true)
            history.chunks.removeLast()
        }
        history.chunks.append(
            History.Chunk(
                first: span.first, last: span.last, byteCount: span.byteCount,
                barriers: span.barriers, reference: try writer.write(blob: bytes)))
    }
}
