import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// The classes that a configuration requires in a file.
struct ModelSchema: Sendable {
    /// The layouts of all classes.
    let layouts: [ClassLayout]
    private let path: String
    private let isReadOnly: Bool
    private let version: UInt64

    /// Creates a schema of classes that are known to be consistent.
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

    /// The classes of the program that belong to every realm by default.
    ///
    /// Embedded classes are included through the classes that contain them.
    private static let declaredTypes: [ObjectBase.Type] = DeclaredClasses.all.compactMap {
        guard let type = $0 as? ObjectBase.Type, type != Object.self, type != EmbeddedObject.self,
            type != ObjectBase.self, !type.isEmbeddedClass, type.shouldIncludeInDefaultSchema()
        else { return nil }
        return type
    }

    /// Returns classes together with the classes to which they link.
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

    /// Adds what the file lacks of these classes, unless it is opened for reading only.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if a migration is needed.
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
        // All source properties of the inverses exist at this point.
        for change in inverseChanges(to: transaction.schema) {
            _ = try transaction.apply(.schema(change))
        }
    }

    private func isNewer(than snapshot: Snapshot) -> Bool {
        version > snapshot.modelVersion ?? 0
    }

    /// Returns a version of a read-only file as if it had all of these classes.
    ///
    /// Classes that the file lacks have no objects. Inverses hold no data, so those of the model
    /// apply.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if a class in the file lacks properties, or if
    ///   a migration is needed.
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

    /// Returns whether a version of the file has all of these classes as declared.
    func isComplete(in schema: FirnEngine.Schema) -> Bool {
        // A version that needs a migration counts as incomplete.
        (try? additions(to: schema).isEmpty) == true && inverseChanges(to: schema).isEmpty
    }

    /// Returns the classes and properties that the file lacks, without inverses.
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

    /// Returns the properties that are marked as indexed in the model but not in the file.
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
