import FirnPlatform
package import FirnText
import FirnValues

/// Evidence about an input, gathered from its blocks in order.
package protocol BlockEvidence: Sendable {
    /// The data that is needed to read a block, apart from the evidence.
    associatedtype Form: Sendable

    /// Returns evidence that changes independently of this.
    func copy() -> Self

    /// Examines all records of a block.
    ///
    /// - Parameter start: the position of the block.
    /// - Returns: the starts of the records; `nil` if the block cannot be read separately. The
    ///   evidence is not used then.
    mutating func see(
        _ block: TextBlocks.Block, at start: TextPosition, _ form: Form
    ) -> RowPositions.Block?

    /// Returns whether two states differ only in counts.
    func differsOnlyInCounts(from other: Self) -> Bool

    /// Adds the counts since an earlier state.
    mutating func addCounts(of other: Self, since start: Self)
}

/// Reading the blocks of an input on several threads.
///
/// The type of a column depends on the order of its values, but hardly ever changes after the first
/// rows. So a thread sees a block starting from the evidence of a few blocks before. If that is
/// still the evidence when it is the turn of the block, and the block only increased counts, these
/// are added. If not, the block is seen again from the evidence at its turn. The outcome is always
/// that of one thread.
package struct BlockReading<Evidence: BlockEvidence> {
    /// A block, and the evidence from which a thread sees it.
    private struct Part: Sendable {
        let start: Evidence
        let block: TextBlocks.Block
    }

    /// The evidence after a block.
    private struct Seen: Sendable {
        let evidence: Evidence
        let rows: RowPositions.Block
    }

    package private(set) var evidence: Evidence
    package private(set) var positions: RowPositions
    private let form: Evidence.Form
    private let threadCount: Int
    /// The number of blocks that are read ahead of their turn.
    private var lookahead: Int { threadCount * 3 }

    /// - Parameters:
    ///   - evidence: the evidence after the first block.
    ///   - positions: those of the first block.
    package init(
        _ evidence: Evidence, _ positions: RowPositions, _ form: Evidence.Form,
        threadCount: Int = Environment.processorCount
    ) {
        self.evidence = evidence
        self.positions = positions
        self.form = form
        self.threadCount = threadCount
    }

    /// Reads blocks up to the end of the input, or up to one that cannot be read separately.
    ///
    /// - Parameters:
    ///   - name: the name of the input, for errors.
    ///   - progress: called after each block with the number of bytes read; `false` stops reading
    ///     with an error.
    /// - Returns: a source of the rest of the input; `nil` if there is none.
    package mutating func read(
        _ blocks: inout TextBlocks, name: String, _ progress: (UInt64) -> Bool
    ) throws(InputError) -> (any ByteSource)? {
        let form = form
        let work = OrderedWork(threadCount: threadCount) { (part: Part) in
            BlockReading.seen(part.block, from: part.start, line: 1, form)
        }
        var pending: [Part] = []
        while true {
            guard progress(positions.end.offset) else {
                throw .interrupted(name, line: positions.end.line)
            }
            while pending.count < lookahead, let block = try next(&blocks, name) {
                let part = Part(start: evidence.copy(), block: block)
                pending.append(part)
                work.add(part)
            }
            guard let seen = work.takeNext() else { break }
            let part = pending.removeFirst()
            guard let rows = take(seen, of: part) else {
                return blocks.rest(after: [part.block] + pending.map(\.block))
            }
            positions.append(rows, byteCount: part.block.bytes.count)
        }
        return blocks.hasRest ? blocks.rest() : nil
    }

    private func next(
        _ blocks: inout TextBlocks, _ name: String
    ) throws(InputError) -> TextBlocks.Block? {
        do { return try blocks.next() } catch { throw InputError(error, name: name) }
    }

    /// Continues with the evidence after a block.
    ///
    /// - Returns: `nil` if the block cannot be read separately.
    private mutating func take(_ seen: Seen?, of part: Part) -> RowPositions.Block? {
        guard let seen else { return nil }
        if part.start.differsOnlyInCounts(from: evidence),
            seen.evidence.differsOnlyInCounts(from: part.start)
        {
            evidence.addCounts(of: seen.evidence, since: part.start)
            return seen.rows
        }
        let line = positions.end.line
        guard let again = BlockReading.seen(part.block, from: evidence, line: line, form) else {
            return nil
        }
        evidence = again.evidence
        return again.rows
    }

    private static func seen(
        _ block: TextBlocks.Block, from start: Evidence, line: UInt64, _ form: Evidence.Form
    ) -> Seen? {
        var evidence = start.copy()
        let position = TextPosition(offset: block.offset, line: line)
        return evidence.see(block, at: position, form).map { Seen(evidence: evidence, rows: $0) }
    }
}
