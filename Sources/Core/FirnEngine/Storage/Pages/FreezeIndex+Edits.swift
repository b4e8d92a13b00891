import FirnCodec
import FirnValues

/// Writing the leaves that a commit changes.
extension FreezeIndex {
    /// Returns the index after some edits, without the freezes that have expired.
    ///
    /// - Parameters:
    ///   - now: Seconds since 1970.
    ///   - rewritesAll: Whether to rewrite every leaf, well filled and at other locations.
    /// - Complexity: O(leaves + frozen versions) in memory; reads and writes the leaves that
    ///   change.
    func applying(
        _ edits: FreezeEdits, now: Int64, rewritesAll: Bool, _ pages: PageStore,
        _ writer: inout PageWriter
    ) throws(StoreError) -> FreezeIndex {
        let hasExpired = earliestExpirySeconds.map { $0 <= now } ?? false
        guard !edits.isEmpty || hasExpired || (rewritesAll && !isEmpty) else { return self }
        var update = FreezeIndexUpdate(now: now, keepsExpiry: !hasExpired, of: self)
        let touchesAll = hasExpired || rewritesAll
        var names = edits.names[...]
        for (index, leaf) in leaves.enumerated() {
            let end = index + 1 < leaves.count ? leaves[index + 1].firstName : nil
            let own = names.prefix { name in end.map { name < $0 } ?? true }
            names = names.dropFirst(own.count)
            guard touchesAll || !own.isEmpty else {
                try update.keep(leaf, &writer)
                continue
            }
            let freezes = try pages.freezes(of: leaf)
            writer.space.free(leaf.reference.extent, isBookkeeping: true)
            update.add(freezes, own.map { ($0, edits[$0]?.freeze) })
            if !rewritesAll { try update.finishLeaves(&writer) }
        }
        update.add([], names.map { ($0, edits[$0]?.freeze) })
        return try update.finish(&writer)
    }
}

/// An index under construction, built leaf by leaf.
private struct FreezeIndexUpdate {
    private let now: Int64
    private var index = FreezeIndex()
    private var versions: FrozenVersions
    /// The freezes of the leaf that is being filled, by name.
    private var pending: [Freeze] = []

    init(now: Int64, keepsExpiry: Bool, of old: FreezeIndex) {
        self.now = now
        versions = FrozenVersions(old.versions)
        if keepsExpiry { index.earliestExpirySeconds = old.earliestExpirySeconds }
    }

    /// Adopts a leaf unchanged.
    mutating func keep(
        _ leaf: FreezeIndex.Leaf, _ writer: inout PageWriter
    ) throws(StoreError) {
        try finishLeaves(&writer)
        index.leaves.append(leaf)
    }

    /// Adds the freezes of a leaf after edits to some names; both lists are sorted by name.
    mutating func add(_ old: [Freeze], _ edits: [(name: String, freeze: Freeze?)]) {
        for freeze in old { versions.remove(freeze.version) }
        var kept = old[...]
        for edit in edits {
            while let next = kept.first, next.name < edit.name {
                add(next)
                kept.removeFirst()
            }
            if kept.first?.name == edit.name { kept.removeFirst() }
            if let freeze = edit.freeze { add(freeze) }
        }
        for freeze in kept { add(freeze) }
    }

    private mutating func add(_ freeze: Freeze) {
        guard !freeze.isExpired(at: now) else { return }
        pending.append(freeze)
        versions.add(freeze.version)
        guard let expiry = freeze.expiresSeconds else { return }
        index.earliestExpirySeconds = min(index.earliestExpirySeconds ?? expiry, expiry)
    }

    /// Writes the pending freezes as one leaf if they fit, and otherwise as several of the target
    /// size.
    mutating func finishLeaves(_ writer: inout PageWriter) throws(StoreError) {
        let sizes = pending.map(\.encodedByteCount)
        let fits = sizes.reduce(0, +) <= FreezeIndex.leafByteCountMaximum
        var start = 0
        var byteCount = 0
        for (offset, size) in sizes.enumerated() {
            byteCount += size
            let isLast = offset == sizes.count - 1
            guard isLast || (!fits && byteCount >= FreezeIndex.leafByteCountTarget) else {
                continue
            }
            try write(Array(pending[start...offset]), &writer)
            start = offset + 1
            byteCount = 0
        }
        pending = []
    }

    private mutating func write(
        _ freezes: [Freeze], _ writer: inout PageWriter
    ) throws(StoreError) {
        guard let first = freezes.first else { return }
        var bytes = ByteWriter()
        Freeze.write(freezes, to: &bytes)
        index.leaves.append(
            FreezeIndex.Leaf(
                firstName: first.name, count: freezes.count,
                reference: try writer.write(blob: bytes.bytes)))
    }

    mutating func finish(_ writer: inout PageWriter) throws(StoreError) -> FreezeIndex {
        try finishLeaves(&writer)
        index.versions = versions.counted
        return index
    }
}

/// The frozen versions with the number of freezes of each, and pending changes to these numbers.
private struct FrozenVersions {
    private let old: [FreezeIndex.FrozenVersion]
    private var changes: [LSN: Int] = [:]

    init(_ old: [FreezeIndex.FrozenVersion]) { self.old = old }

    mutating func add(_ version: LSN) { changes[version, default: 0] += 1 }
    mutating func remove(_ version: LSN) { changes[version, default: 0] -= 1 }

    /// The versions with at least one freeze, ascending.
    var counted: [FreezeIndex.FrozenVersion] {
        var rest = changes.filter { $0.value != 0 }
        guard !rest.isEmpty else { return old }
        var all = old
        for index in all.indices {
            all[index].freezeCount += rest.removeValue(forKey: all[index].version) ?? 0
        }
        all += rest.map { .init(version: $0.key, freezeCount: $0.value) }
        return all.filter { $0.freezeCount > 0 }.sorted { $0.version < $1.version }
    }
}
