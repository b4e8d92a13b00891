package import FirnValues

/// Changing whether the objects of a class are embedded.
///
/// The changes are not operations, so the transaction writes pages.
extension WriteTransaction {
    /// Makes the objects of a class embedded in the objects that link to them.
    ///
    /// An object without a link to it is deleted. If there are several links to an object, all but
    /// the first get a copy, because an embedded object has exactly one parent.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if the class has a key, if a set or a value of
    ///   type Any links to its objects, or if its objects could contain themselves. The class is
    ///   then unchanged.
    /// - Complexity: O(objects + links to them)
    package func embedObjects(of classID: ClassID) throws(StoreError) {
        guard try !record(classID).schema.isEmbedded else { return }
        try becomeBulk()
        try beginOperation()
        defer { endOperation() }
        try atomically { () throws(StoreError) in
            try checkEmbedding(of: try record(classID).schema)
            try giveEachObjectOneParent(in: classID)
            try changeSchema(of: classID) { $0.with(isEmbedded: true) }
        }
        hasChanges = true
        operationCount += 1
    }

    /// Makes the embedded objects of a class independent of their parents, which still link to
    /// them.
    package func releaseObjects(of classID: ClassID) throws(StoreError) {
        guard try record(classID).schema.isEmbedded else { return }
        try checkOrphans()
        try becomeBulk()
        try beginOperation()
        defer { endOperation() }
        try changeSchema(of: classID) { $0.with(isEmbedded: false) }
        hasChanges = true
        operationCount += 1
    }

    // MARK: Rules

    private func checkEmbedding(of schema: ClassSchema) throws(StoreError) {
        if let key = schema.keyProperty {
            throw invalid("the embedded class \(schema.name) cannot have the key \(key.name)")
        }
        for source in self.schema.classes {
            for property in source.properties {
                try checkEmbedding(of: schema, in: property, of: source)
            }
        }
        // The class counts as embedded for the check of cycles only.
        let before = overlay.catalog
        defer { overlay.catalog = before }
        overlay.catalog.update(schema.id) { $0.schema = $0.schema.with(isEmbedded: true) }
        try checkEmbedding()
    }

    private func checkEmbedding(
        of schema: ClassSchema, in property: PropertySchema, of source: ClassSchema
    ) throws(StoreError) {
        let name = "\(source.name).\(property.name)"
        if property.type.target == schema.id, property.type.container == .set {
            throw invalid("the set \(name) cannot hold embedded objects of class \(schema.name)")
        }
        guard property.type.base == .any else { return }
        try table(source).forEachLink(of: property) { target, _ throws(StoreError) in
            guard target.classID == schema.id else { return }
            throw invalid(
                "\(name) of type Any links to an object of class \(schema.name), and cannot link to "
                    + "embedded objects")
        }
    }

    // MARK: Parents

    private func giveEachObjectOneParent(in classID: ClassID) throws(StoreError) {
        let links = schema.incoming(to: classID)
        var linked: Set<RowID> = []
        var shared: Set<RowID> = []
        for link in links {
            try table(link.source).forEachLink(of: link.property) { target, _ in
                if !linked.insert(target.rowID).inserted { shared.insert(target.rowID) }
            }
        }
        // This comes before any copy is made, which only its parent links to.
        let unlinked = try table(try record(classID).schema).liveRowIDs()
            .filter { !linked.contains($0) }
        if !unlinked.isEmpty { try delete(unlinked, in: classID) }
        guard !shared.isEmpty else { return }
        var copying = SharedObjects(rows: shared)
        for link in links { try separate(&copying, link) }
    }

    /// Creates a copy of a shared object for each further link to it.
    private func separate(
        _ shared: inout SharedObjects, _ link: IncomingLink
    ) throws(StoreError) {
        var sources: [RowID] = []
        try table(link.source).forEachLink(of: link.property) { target, row in
            if shared.rows.contains(target.rowID), sources.last != row { sources.append(row) }
        }
        for row in sources {
            let old = try value(of: link.property, of: row, in: link.source)
            let new = try separated(old, &shared)
            guard new != old else { continue }
            try set(link.property.id, of: row, in: link.source.id, to: new)
        }
    }

    private func separated(
        _ value: Value, _ shared: inout SharedObjects
    ) throws(StoreError) -> Value {
        switch value {
        case .link(let target) where shared.rows.contains(target.rowID):
            if shared.claimed.insert(target.rowID).inserted { return value }
            return .link(try copy(of: target))
        case .list(let elements):
            var new: [Value] = []
            for element in elements { new.append(try separated(element, &shared)) }
            return .list(new)
        case .map(var entries):
            for key in entries.keys.sorted() {
                if let old = entries[key] { entries[key] = try separated(old, &shared) }
            }
            return .map(entries)
        default: return value
        }
    }

    /// Creates a copy of an object together with the embedded objects that it holds.
    private func copy(of object: ObjectReference) throws(StoreError) -> ObjectReference {
        let schema = try record(object.classID).schema
        guard var values = try values(of: object.rowID, in: object.classID) else {
            throw unknownObject(object.rowID, schema)
        }
        for (index, property) in schema.properties.enumerated()
        where overlay.catalog.isOwning(property) {
            values[index] = try copy(ofContent: values[index])
        }
        return ObjectReference(
            classID: object.classID, rowID: try create(in: object.classID, values))
    }

    private func copy(ofContent value: Value) throws(StoreError) -> Value {
        switch value {
        case .link(let target): return .link(try copy(of: target))
        case .list(let elements):
            var copies: [Value] = []
            for element in elements { copies.append(try copy(ofContent: element)) }
            return .list(copies)
        case .map(var entries):
            for key in entries.keys.sorted() {
                if let old = entries[key] { entries[key] = try copy(ofContent: old) }
            }
            return .map(entries)
        default: return value
        }
    }
}

/// The objects to which several links lead.
private struct SharedObjects {
    let rows: Set<RowID>
    /// The objects of ``rows`` whose first link keeps them.
    var claimed: Set<RowID> = []
}
