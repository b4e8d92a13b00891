import FirnValues
import HashTreeCollections

/// The constraints of links: targets exist, embedded objects have one parent, and every link is in
/// the link index.
extension WriteTransaction {
    /// Checks that one more property may link to some objects.
    ///
    /// - Parameter held: The embedded objects that the same operation assigns to other properties.
    func checkTargets(
        _ targets: [ObjectReference], _ property: PropertySchema, _ schema: ClassSchema,
        _ held: inout Set<ObjectReference>
    ) throws(StoreError) {
        let isOwning = overlay.catalog.isOwning(property)
        for target in targets {
            guard try exists(target.rowID, in: target.classID) else {
                let name = overlay.catalog[target.classID]?.schema.name ?? "no class"
                throw StoreError(
                    .danglingLink, path: store.path,
                    detail: "\(property.name) of \(schema.name) would link to @id "
                        + "\(target.rowID.rawValue) of \(name), which does not exist")
            }
            guard !isOwning || (orphans.contains(target) && held.insert(target).inserted) else {
                throw StoreError(
                    .embeddedParent, path: store.path,
                    detail:
                        "the embedded object that \(property.name) of \(schema.name) is to hold "
                        + "has a parent already",
                    remedy: "make a copy of it")
            }
        }
    }

    /// Records that embedded objects have a parent now.
    func adopt(_ targets: [ObjectReference], _ property: PropertySchema) throws(StoreError) {
        guard overlay.catalog.isOwning(property) else { return }
        orphans.subtract(targets)
    }

    /// Prepares another value of a property that may link: checks and indexes the new links.
    ///
    /// - Returns: The embedded objects that no longer have a parent, to be deleted once the new
    ///   value is stored.
    func relink(
        from old: Value, to new: Value, _ property: PropertySchema, of row: RowID,
        in schema: ClassSchema
    ) throws(StoreError) -> [ObjectReference] {
        let (added, removed) = linkDifference(from: old, to: new)
        var held: Set<ObjectReference> = []
        try checkTargets(added, property, schema, &held)
        try adopt(added, property)
        note(added: added, removed: removed, property, of: row, in: schema.id)
        return overlay.catalog.isOwning(property) ? removed : []
    }

    /// Returns the links that a new value adds to an old one, and those that it removes.
    func linkDifference(
        from old: Value, to new: Value
    ) -> (added: [ObjectReference], removed: [ObjectReference]) {
        var counts: [ObjectReference: Int] = [:]
        for target in old.linkTargets { counts[target, default: 0] -= 1 }
        for target in new.linkTargets { counts[target, default: 0] += 1 }
        let order = counts.keys.sorted {
            ($0.classID, $0.rowID) < ($1.classID, $1.rowID)
        }
        var added: [ObjectReference] = []
        var removed: [ObjectReference] = []
        for target in order {
            let count = counts[target] ?? 0
            if count > 0 { added += Array(repeating: target, count: count) }
            if count < 0 { removed += Array(repeating: target, count: -count) }
        }
        return (added, removed)
    }

    /// Updates the link index.
    func note(
        added: [ObjectReference], removed: [ObjectReference], _ property: PropertySchema,
        of row: RowID, in classID: ClassID
    ) {
        guard !added.isEmpty || !removed.isEmpty else { return }
        overlay.changeLinks(of: classID, property.id) { list in
            for target in added { list.add(1, target, row) }
            for target in removed { list.add(-1, target, row) }
        }
    }

    /// Marks the link index of a property to be rebuilt, if so many links changed that this costs
    /// less than listing them.
    ///
    /// A transaction that is recorded commits without building an index.
    ///
    /// - Parameter count: The number of changed links.
    /// - Returns: Whether the links are unlisted from now on.
    @discardableResult
    func unlistLinks(
        of property: PropertySchema, _ plan: ClassWriteCache, changing count: Int
    ) -> Bool {
        guard recorded == nil, rebuildsLinkIndexes, !hasListedLinks,
            count >= WriteTransaction.unlistedLinksMinimum
        else { return false }
        let known = plan.record.linkIndexes[property.id]?.entryCount ?? 0
        guard count >= known / UInt64(WriteTransaction.indexShare) else { return false }
        overlay.classes[plan.schema.id, default: ClassOverlay()].links[property.id] = .unlisted
        return true
    }

    /// The number of links below which listing them never matters.
    private static let unlistedLinksMinimum = 16_384

    /// Returns the objects that link to each of several objects of a class through one property.
    ///
    /// - Parameter targets: The objects, ascending.
    func sources(
        of targets: [RowID], in target: ClassID, through property: PropertySchema,
        of source: ClassSchema
    ) throws(StoreError) -> LinkSources {
        try base.with(overlay).sources(
            of: targets, in: target, through: property, of: source)
    }

    /// Lists the links of all properties whose links are unlisted.
    ///
    /// A lookup is usually followed by further ones, which must not scan all rows each time.
    func listAllLinks() throws(StoreError) {
        for source in overlay.catalog.classes.map(\.schema) {
            guard let links = overlay.classes[source.id]?.links else { continue }
            for property in source.properties {
                guard case .unlisted? = links[property.id] else { continue }
                hasListedLinks = true
                try listLinks(of: property, in: source)
            }
        }
    }

    private func listLinks(
        of property: PropertySchema, in source: ClassSchema
    ) throws(StoreError) {
        let table = try table(source)
        var list = LinkList([:])
        try table.forEachLink(of: property) { target, row in list.add(1, target, row) }
        let tree = table.tree(.links(property.id))
        try tree.forEach(in: 0..<tree.count) { key, value throws(StoreError) in
            let link = try tree.link(key, value)
            list.add(-link.count, link.target, link.source)
            return true
        }
        overlay.classes[source.id, default: ClassOverlay()].links[property.id] =
            .listed(list.dictionary)
    }
}

extension Overlay {
    /// Changes the list of links of a property, unless they are unlisted.
    mutating func changeLinks(
        of classID: ClassID, _ property: PropertyID, _ change: (inout LinkList) -> Void
    ) {
        classes[classID, default: ClassOverlay()].links[property, default: .listed([:])]
            .changeList(change)
    }
}

extension LinkChanges {
    /// Changes the list, if there is one.
    ///
    /// The list must have only one reference while it changes, or each change would copy its path.
    mutating func changeList(_ change: (inout LinkList) -> Void) {
        guard case .listed(var dictionary) = self else { return }
        self = .unlisted
        var list = LinkList(dictionary)
        dictionary = [:]
        change(&list)
        self = .listed(list.dictionary)
    }
}

extension KeyChanges {
    /// Changes the list, if there is one, like ``LinkChanges/changeList(_:)``.
    mutating func changeList(_ change: (inout TreeDictionary<Value, RowID?>) -> Void) {
        guard case .listed(var list) = self else { return }
        self = .unlisted
        change(&list)
        self = .listed(list)
    }
}

/// The changes to one link index.
struct LinkList {
    private(set) var dictionary: TreeDictionary<ObjectReference, TreeDictionary<RowID, Int>>

    init(_ dictionary: TreeDictionary<ObjectReference, TreeDictionary<RowID, Int>>) {
        self.dictionary = dictionary
    }

    /// Adds a number of links; a source whose sum is zero is removed from the list.
    mutating func add(_ count: Int, _ target: ObjectReference, _ source: RowID) {
        change(target) { sources in sources.add(count, source) }
    }

    /// Adds a number of links from each source to its target.
    ///
    /// The links of a target are looked up once.
    mutating func add(_ count: Int, _ links: [(target: ObjectReference, source: RowID)]) {
        let sorted = links.sorted {
            ($0.target.classID, $0.target.rowID) < ($1.target.classID, $1.target.rowID)
        }
        var rest = sorted[...]
        while let target = rest.first?.target {
            let same = rest.prefix { $0.target == target }
            rest = rest.dropFirst(same.count)
            change(target) { sources in
                for link in same { sources.add(count, link.source) }
            }
        }
    }

    /// Changes the links to a target, in place.
    private mutating func change(
        _ target: ObjectReference, _ body: (inout TreeDictionary<RowID, Int>) -> Void
    ) {
        let isEmpty = dictionary.updateValue(forKey: target, default: [:]) { sources in
            body(&sources)
            return sources.isEmpty
        }
        if isEmpty { dictionary[target] = nil }
    }
}

extension TreeDictionary<RowID, Int> {
    /// Adds a number of links from a source, which is removed if its sum is zero.
    fileprivate mutating func add(_ count: Int, _ source: RowID) {
        let sum = updateValue(forKey: source, default: 0) { sum in
            sum += count
            return sum
        }
        if sum == 0 { self[source] = nil }
    }
}

extension Catalog {
    /// Whether a property holds embedded objects.
    func isOwning(_ property: PropertySchema) -> Bool {
        property.type.base == .link
            && property.type.target.flatMap { self[$0]?.schema.isEmbedded } ?? false
    }
}
