import FirnCodec
import FirnPlatform
package import FirnValues
import HashTreeCollections

/// The objects that link to each of several targets through one property.
package struct LinkSources: Sendable {
    /// The offsets: the sources of target i are `rows[offsets[i]..<offsets[i + 1]]`.
    package var offsets: [Int] = [0]
    /// The sources, ascending for each target; a source occurs once per link.
    package var rows: [RowID] = []

    package init() {}

    /// Returns the sources of one of the targets.
    package subscript(target: Int) -> ArraySlice<RowID> {
        rows[offsets[target]..<offsets[target + 1]]
    }
}

/// Looking up links by their targets.
extension Snapshot {
    /// The maximum number of index entries per target for which a scan of the whole index is
    /// cheaper.
    ///
    /// Above it, one descent per target is cheaper.
    private static let entriesPerDescent: UInt64 = 64

    /// Returns the objects that link to each of several objects through one property.
    ///
    /// - Parameters:
    ///   - targets: The targets, ascending.
    ///   - target: The class of the targets.
    ///   - property: A property of `source` that may link to them.
    /// - Complexity: O(log links) per target and O(sources); O(objects of `source`) after a bulk
    ///   load that is not committed.
    package func sources(
        of targets: [RowID], in target: ClassID, through property: PropertySchema,
        of source: ClassSchema
    ) throws(StoreError) -> LinkSources {
        guard let table = table(source.id), !targets.isEmpty else {
            var none = LinkSources()
            none.offsets = Array(repeating: 0, count: targets.count + 1)
            return none
        }
        switch table.overlay?.links[property.id] ?? .listed([:]) {
        case .unlisted: return try scannedSources(of: targets, in: target, property, table)
        case .listed(let changes):
            return try indexedSources(of: targets, in: target, property, table, changes)
        }
    }

    private func indexedSources(
        of targets: [RowID], in target: ClassID, _ property: PropertySchema, _ table: Table,
        _ changes: TreeDictionary<ObjectReference, TreeDictionary<RowID, Int>>
    ) throws(StoreError) -> LinkSources {
        let tree = table.tree(.links(property.id))
        var result = LinkSources()
        let isDense =
            UInt64(targets.count) * Snapshot.entriesPerDescent > tree.count
        var walk = isDense ? try LinkWalk(tree, from: targets, in: target) : nil
        for row in targets {
            let reference = ObjectReference(classID: target, rowID: row)
            var counts: [(source: RowID, count: Int)] = []
            if walk != nil {
                counts = walk?.links(to: row) ?? []
            } else {
                let ranks = try tree.ranks(withPrefix: TreeKey.linkPrefix(target: reference))
                try tree.forEach(in: ranks) { key, value throws(StoreError) in
                    counts.append(try tree.link(key, value).counted)
                    return true
                }
            }
            if let changed = changes[reference] { counts.apply(changed) }
            for (source, count) in counts {
                result.rows.append(contentsOf: repeatElement(source, count: max(0, count)))
            }
            result.offsets.append(result.rows.count)
        }
        return result
    }

    /// Returns the sources by a scan of the links of all rows.
    private func scannedSources(
        of targets: [RowID], in target: ClassID, _ property: PropertySchema, _ table: Table
    ) throws(StoreError) -> LinkSources {
        var found: [[RowID]] = Array(repeating: [], count: targets.count)
        try table.forEachLink(of: property) { reference, source in
            guard reference.classID == target,
                let index = Bisection.lastIndex(in: targets, { $0 <= reference.rowID }),
                targets[index] == reference.rowID
            else { return }
            found[index].append(source)
        }
        var result = LinkSources()
        for rows in found {
            result.rows += rows
            result.offsets.append(result.rows.count)
        }
        return result
    }
}

/// The links to many ascending targets, read in one walk over the index.
private struct LinkWalk {
    private var links: [(target: RowID, source: RowID, count: Int)] = []
    private var position = 0

    init(_ tree: Tree, from targets: [RowID], in target: ClassID) throws(StoreError) {
        guard let first = targets.first, let last = targets.last else { return }
        let lower = try tree.lowerBound(
            TreeKey.linkPrefix(target: ObjectReference(classID: target, rowID: first)))
        let upper = try tree.ranks(
            withPrefix: TreeKey.linkPrefix(target: ObjectReference(classID: target, rowID: last))
        ).upperBound
        var links: [(target: RowID, source: RowID, count: Int)] = []
        try tree.forEach(in: lower..<max(lower, upper)) { key, value throws(StoreError) in
            let link = try tree.link(key, value)
            links.append((link.target.rowID, link.source, link.count))
            return true
        }
        self.links = links
    }

    /// - Parameter target: A target that is at least the target of the previous call.
    mutating func links(to target: RowID) -> [(source: RowID, count: Int)] {
        while position < links.count, links[position].target < target { position += 1 }
        var result: [(source: RowID, count: Int)] = []
        while position < links.count, links[position].target == target {
            result.append((links[position].source, links[position].count))
            position += 1
        }
        return result
    }
}

/// An entry of a link index.
struct IndexedLink {
    let target: ObjectReference
    let source: RowID
    let count: Int

    var counted: (source: RowID, count: Int) { (source, count) }
}

extension Tree {
    /// Reads an entry of a link index.
    func link(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(StoreError) -> IndexedLink {
        var reader = ByteReader(value)
        guard let (target, source) = TreeKey.link(decoding: key),
            let count = try? reader.count(max: CollectionLimits.elementCountMaximum)
        else { throw notALink }
        return IndexedLink(target: target, source: source, count: count)
    }

    /// Reads the value of an entry of a link index: the number of links from the source.
    func linkCount(_ value: [UInt8]) throws(StoreError) -> Int {
        let count = value.withBytes { bytes in
            var reader = ByteReader(bytes)
            return try? reader.count(max: CollectionLimits.elementCountMaximum)
        }
        guard let count else { throw notALink }
        return count
    }

    private var notALink: StoreError {
        .corrupt(pages.file.path, "the \(name) has an entry that is not a link")
    }
}

extension [(source: RowID, count: Int)] {
    /// Adds changes and keeps the order of the sources.
    fileprivate mutating func apply(_ changes: TreeDictionary<RowID, Int>) {
        var merged: [RowID: Int] = [:]
        for (source, count) in self { merged[source, default: 0] += count }
        for (source, count) in changes { merged[source, default: 0] += count }
        self = merged.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { (source: $0.key, count: $0.value) }
    }
}
