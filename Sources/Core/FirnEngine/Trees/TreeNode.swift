import FirnCodec
import FirnValues

/// A decoded node of a counted tree, as kept by the page cache.
final class TreeNode: PageNode {
    /// The highest level, which suffices because every level at least doubles the entries.
    static let maximumLevel = 32
    /// The raw size to which a node is filled: one short `pread`, and little to write per edit.
    static let byteCountTarget = 8 * 1024

    /// A limit above the entries of any file, low enough for ranks to fit an `Int`.
    static let entryCountMax: UInt64 = 1 << 62

    let content: TreeContent
    /// The number of entries of the leaves below the node.
    let entryCount: UInt64
    /// The number of entries before the end of each child; empty in a leaf.
    private let ends: [UInt64]

    /// Reads a node.
    ///
    /// - Throws: `corrupt` for bytes that no writer produces.
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

    /// The approximate size of the decoded node in the page cache.
    var memoryByteCount: Int {
        128 + entries.memoryByteCount + content.references.count * 48
    }

    /// Returns the number of entries before a child.
    func start(ofChild index: Int) -> UInt64 { index == 0 ? 0 : ends[index - 1] }

    /// Returns the child that contains the entry at a rank.
    ///
    /// - Precondition: The rank is less than ``entryCount``, and the node is not a leaf.
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
