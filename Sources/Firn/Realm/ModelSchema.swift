import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// The classes that a configuration wants a file to have.
struct ModelSchema: Sendable {
    /// Every class, with the path for errors.
    let layouts: [ClassLayout]
    private let path: String
    private let isReadOnly: Bool
    private let version: UInt64

    /// Classes that are known to fit together.
    init(_ layouts: [ClassLayout], of configuration: Realm.Configuration, path: String) {
        self.layouts = layouts
        self.path = path
        isReadOnly = configuration.readOnly
        version = configuration.schemaVersion
    }

    init(_ configuration: Realm.Configuration, path: String) {
        self.path = path
        isReadOnly = configuration.readOnly
        version = configuration.schemaVersion
        let types = configuration.objectTypes ?? ModelSchema.declaredTypes
        layouts = ModelSchema.reachable(from: types).map { ClassLayout.of($0) }
        ModelRules(layouts).check()
    }

    /// All classes of the program that want to be in every realm; embedded ones come with those that have
    /// them.
    private static let declaredTypes: [ObjectBase.Type] = DeclaredClasses.all.compactMap {
        guard let type = $0 as? ObjectBase.Type, type != Object.self, type != EmbeddedObject.self,
            type != ObjectBase.self, !type.isEmbeddedClass, type.shouldIncludeInDefaultSchema()
        else { return nil }
        return type
    }

    /// The classes, and those that they link to.
    static func reachable(from types: [ObjectBase.Type]) -> [ObjectBase.Type] {
        var found: [ObjectBase.Type] = []
        var known: Set<ObjectIdentifier> = []
        var open = types
        while let type = open.popLast() {
            guard known.insert(ObjectIdentifier(type)).inserted else { continue }
            found.append(type)
            open += ClassLayout.of(type).properties.compactMap(\.declaration.target)
        }
        return found.sorted { $0.className() < $1.className() }
    }

    // MARK: The file

    /// Gives the file what it lacks of these classes, unless it may only be read.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if a migration would be needed.
    func establish(in database: Database) throws(StoreError) {
        let newest = try database.snapshot()
        let known = newest.snapshot
        if let stored = known.modelVersion, stored > version {
            throw StoreError(
                .invalidSchema, path: path,
                detail: "the schema version \(version) is less than the last one, \(stored)",
                remedy: "set schemaVersion of the configuration")
        }
        guard !isReadOnly else {
            _ = try completing(newest)
            return
        }
        let isComplete =
            try additions(to: known.schema).isEmpty && inverseChanges(to: known.schema).isEmpty
            && unmarkedProperties(in: known.schema).isEmpty
        if isComplete, !isNewer(than: known) { return }
        let transaction = try database.store.beginWrite()
        try add(to: transaction)
        for (id, property) in unmarkedProperties(in: transaction.schema) {
            try transaction.markProperty(property, of: id, isIndexed: true)
        }
        if try isNewer(than: transaction.snapshot()) { try transaction.setModelVersion(version) }
        let version = try transaction.commit()
        Logger.log(
            .detail,
            "the schema of \(path) was changed to fit the model, in version \(version.rawValue)")
    }

    private func add(to transaction: WriteTransaction) throws(StoreError) {
        for change in try additions(to: transaction.schema) {
            _ = try transaction.apply(.schema(change))
        }
        // Only now everything is there that they are the inverses of.
        for change in inverseChanges(to: transaction.schema) {
            _ = try transaction.apply(.schema(change))
        }
    }

    private func isNewer(than snapshot: Snapshot) -> Bool {
        version > snapshot.modelVersion ?? 0
    }

    /// A version of a file that may only be read, as if it had all of these classes: those that it lacks
    /// have no objects, and inverses, which hold no data, are as the model says.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if it lacks properties of a class that it has, or if a
    ///   migration would be needed.
    func completing(_ snapshot: DatabaseSnapshot) throws(StoreError) -> DatabaseSnapshot {
        let schema = snapshot.inFile.schema
        let additions = try additions(to: schema)
        let lacking = additions.compactMap { change -> String? in
            guard case .addProperty(let id, let property, _) = change else { return nil }
            return
                "the file has no property \(schema[id]?.name ?? "").\(property.name), and is opened "
                + "for reading only"
        }
        guard lacking.isEmpty else { throw mismatch(lacking) }
        guard !(additions.isEmpty && inverseChanges(to: schema).isEmpty) else { return snapshot }
        return try snapshot.withSchemaPreview(add)
    }

    /// Whether a version of the file has all of these classes, as they are.
    func isComplete(in schema: FirnEngine.Schema) -> Bool {
        // Of a version that would need a migration, too, nothing is known to be there.
        (try? additions(to: schema).isEmpty) == true && inverseChanges(to: schema).isEmpty
    }

    /// The classes and properties that the file lacks, without inverses.
    private func additions(to schema: FirnEngine.Schema) throws(StoreError) -> [SchemaChange] {
        var missing: [ClassDefinition] = []
        var changes: [SchemaChange] = []
        var problems: [String] = []
        for layout in layouts {
            guard let known = schema.classNamed(layout.className) else {
                missing.append(layout.storedDefinition)
                continue
            }
            let comparison = SchemaComparison(layout, known, schema)
            problems += comparison.problems
            changes += comparison.changes
        }
        guard problems.isEmpty else { throw mismatch(problems) }
        return (missing.isEmpty ? [] : [.addClasses(missing)]) + changes
    }

    /// What is marked as indexed here, and not in the file.
    private func unmarkedProperties(
        in schema: FirnEngine.Schema
    ) -> [(ClassID, PropertyID)] {
        layouts.flatMap { layout -> [(ClassID, PropertyID)] in
            guard let known = schema.classNamed(layout.className) else { return [] }
            return SchemaComparison(layout, known, schema).unmarked.map { (known.id, $0) }
        }
    }

    private func inverseChanges(to schema: FirnEngine.Schema) -> [SchemaChange] {
        layouts.flatMap { layout in
            schema.classNamed(layout.className).map {
                InverseComparison(layout, $0, schema).changes
            }
                ?? []
        }
    }

    private func mismatch(_ problems: [String]) -> StoreError {
        StoreError(
            .invalidSchema, path: path,
            detail: "a migration would be needed: " + problems.joined(separator: "; "),
            remedy: "change the model, or the file with: firn alter")
    }
}
