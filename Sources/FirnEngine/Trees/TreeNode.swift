import FirnCodec

/// A decoded node of a counted tree, as the page cache keeps it.
final class TreeNode: PageNode {
    /// Every level at least doubles the entries, also with the longest keys.
    static let maximumLevel = 32
    /// Raw bytes that a node is filled up to: one short `pread`, and little to write per edit.
    static let byteCountTarget = 8 * 1024

    /// More entries than a file can hold, and few enough that ranks are also an `Int`.
    static let entryCountMax: UInt64 = 1 << 62

    let content: TreeContent
    /// Entries of the leaves below it.
    let entryCount: UInt64
    /// Per child, how many entries lie before its end; empty in a leaf.
    private let ends: [UInt64]

    /// Reads a node.
    ///
    /// - Throws: `corrupt` for anything that no writer makes.
    init(decoding raw: [UInt8]) throws(CodecError) {
        content = try TreeContent(decoding: raw)
        var ends: [UInt64] = []
        var end: UInt64 = 0
        for count in content.counts {
            let (sum, overflow) = end.addingReportingOverflow(count)
            guard count > 0, !overflow, sum <= TreeNode.entryCountMax else {
                throw CodecError(.corrupt, "impossible count of entries", at: 0)
            }
            end = sum
            ends.append(sum)
        }
        self.ends = ends
        entryCount = content.level == 0 ? UInt64(content.count) : end
    }

    var level: Int { content.level }
    var entries: TreeEntries { content.entries }

    /// What the decoded node takes in the page cache, roughly.
    var memoryByteCount: Int {
        128 + entries.memoryByteCount + content.references.count * 48
    }

    /// How many entries lie before a child.
    func start(ofChild index: Int) -> UInt64 { index == 0 ? 0 : ends[index - 1] }

    /// The child below which the entry of a rank lies.
    ///
    /// - Precondition: the rank is less than ``entryCount``, and this is no leaf.
    func child(holding rank: UInt64) -> Int {
        var low = 0
        var high = ends.count - 1
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] <= rank { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
