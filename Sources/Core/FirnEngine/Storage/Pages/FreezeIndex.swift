import FirnCodec
import FirnPlatform
import FirnValues

/// All freezes of a database: leaves sorted by name, and the list of frozen versions.
///
///     history -> leaf "a" ... "m"      about 4 KiB each; rewritten when one of its freezes
///             -> leaf "n" ... "z"      is made, dropped or expires
///             -> versions              which roots and commits must stay, without reading a leaf
///
/// The index is a tree of two levels, which is sufficient for 10,000 freezes. It belongs to the
/// newest root only: an older root does not need the names, so former leaves take no space.
struct FreezeIndex: Hashable, Sendable {
    /// The freezes from one name up to the first name of the next leaf, in one blob.
    struct Leaf: Hashable, Sendable {
        let firstName: String
        let count: Int
        let reference: PageReference
    }

    /// A version and the number of freezes that name it.
    struct FrozenVersion: Hashable, Sendable {
        let version: LSN
        var freezeCount: Int
    }

    /// The leaves, ascending by name; none is empty.
    var leaves: [Leaf] = []
    /// The frozen versions, ascending; every freeze counts once.
    var versions: [FrozenVersion] = []
    /// A lower bound of all expiry times in seconds since 1970; `nil` if no freeze expires.
    var earliestExpirySeconds: Int64?

    /// The size in bytes to which a leaf is filled.
    static let leafByteCountTarget = 4096
    /// The size in bytes above which a leaf is split.
    static let leafByteCountMaximum = 2 * leafByteCountTarget

    var isEmpty: Bool { leaves.isEmpty }
    var count: Int { leaves.reduce(0) { $0 + $1.count } }
    var extents: [Extent] { leaves.map(\.reference.extent) }

    /// Returns the freeze with a name, expired or not.
    ///
    /// - Complexity: O(log leaves), and reading one leaf
    func freeze(named name: String, _ pages: PageStore) throws(StoreError) -> Freeze? {
        guard let index = leafIndex(for: name) else { return nil }
        return try pages.freezes(of: leaves[index]).first { $0.name == name }
    }

    /// Returns all freezes, expired or not, by name.
    func freezes(_ pages: PageStore) throws(StoreError) -> [Freeze] {
        var freezes: [Freeze] = []
        for leaf in leaves { freezes += try pages.freezes(of: leaf) }
        return freezes
    }

    /// Returns the index of the only leaf that may contain a name, or `nil` if there are no leaves.
    func leafIndex(for name: String) -> Int? {
        guard !leaves.isEmpty else { return nil }
        return Bisection.lastIndex(in: leaves) { $0.firstName <= name } ?? 0
    }
}

extension PageStore {
    /// Returns the freezes of a leaf, by name.
    func freezes(of leaf: FreezeIndex.Leaf) throws(StoreError) -> [Freeze] {
        let bytes = try blob(leaf.reference, context: "freezes")
        let freezes = try decoding(
            bytes.withBytes { bytes throws(CodecError) in
                var reader = ByteReader(bytes)
                return try Freeze.list(from: &reader)
            }, "the freezes", in: file.path)
        guard freezes.count == leaf.count, freezes.first?.name == leaf.firstName else {
            throw .corrupt(file.path, "the freezes at byte \(leaf.reference.byteOffset) are others")
        }
        return freezes
    }
}
