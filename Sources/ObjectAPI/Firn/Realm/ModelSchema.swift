import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// The classes that a configuration requires in a file.
struct ModelSchema: Sendable {
    /// The layouts of all classes.
    let layouts: [ClassLayout]
    let path: String
    private let isReadOnly: Bool
    /// The version of the model.
    let version: UInt64

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
        guard let types = configuration.objectTypes else {
            let (usable, unusable) = ModelSchema.declared()
            layouts = usable
            for (name, reason) in unusable.sorted(by: { $0.key < $1.key }) {
                Logger.log(.warn, "\(path) has no class \(name), which cannot be stored: \(reason)")
            }
            return
        }
        layouts = ModelSchema.reachable(from: types).map { ClassLayout.of($0) }
        ModelRules(layouts).check()
    }

    /// Returns the default classes of the program that can be stored.
    ///
    /// One class that cannot be stored does not prevent the use of the others. It is reported when
    /// it is used.
    ///
    /// - Returns: The classes that can be stored, and the reasons why others cannot, by name.
    private static func declared() -> (usable: [ClassLayout], unusable: [String: String]) {
        var rest = reachable(from: declaredTypes).map { ClassLayout.of($0) }
        var unusable: [String: String] = [:]
        while true {
            let faults = ModelRules(rest).faults
            guard !faults.isEmpty else { return (rest, unusable) }
            for (name, problem) in faults {
                unusable[name] = unusable[name].map { $0 + "; " + problem } ?? problem
            }
            // A class that links to one of them cannot be stored either.
            var hasFound = true
            while hasFound {
                hasFound = false
                for layout in rest where unusable[layout.className] == nil {
                    let targets = layout.properties.compactMap(\.declaration.target)
                    guard let wrong = targets.first(where: { unusable[$0.className()] != nil })
                    else { continue }
                    unusable[layout.className] =
                        "it refers to \(wrong.className()), which cannot be stored"
                    hasFound = true
                }
            }
            rest.removeAll { unusable[$0.className] != nil }
        }
    }

    /// Returns the reason why a default class of the program cannot be stored, if there is one.
    static func reasonAgainst(_ type: ObjectBase.Type) -> String? {
        declared().unusable[type.className()]
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

    /// Adds the parts of these classes that the file lacks, unless it is opened for reading only.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` if a migration is needed.
    func establish(in database: Database) throws(StoreError) {
        let newest = try database.snapshot()
        try checkVersion(of: newest.snapshot)
        guard !isReadOnly else {
            _ = try completing(newest)
            return
        }
        guard try lacksParts(newest.snapshot) else { return }
        let transaction = try database.beginWrite(waitNanoseconds: RealmFile.waitNanoseconds)
        try checkVersion(of: transaction.base)
        try complete(transaction)
        let version = try transaction.commit()
        Logger.log(
            .detail,
            "the schema of \(path) was changed to fit the model, in version \(version.rawValue)")
    }

    /// Throws an error if a newer model has used the file.
    func checkVersion(of snapshot: Snapshot) throws(StoreError) {
        guard let stored = snapshot.modelVersion, stored > version else { return }
        throw StoreError(
            .invalidSchema, path: path,
            detail: "the schema version \(version) is less than the last one, \(stored)",
            remedy: "set schemaVersion of the configuration")
    }

    /// Whether the model has a higher version than the file, which has classes of its own.
    func isNewerModel(than snapshot: Snapshot) -> Bool {
        version > snapshot.modelVersion ?? 0 && !snapshot.schema.listedClasses.isEmpty
    }

    /// Returns the reason why a file must be migrated, or `nil` if it need not be.
    func reasonForMigration(of snapshot: Snapshot) -> String? {
        guard !snapshot.schema.listedClasses.isEmpty else { return nil }
        let stored = snapshot.modelVersion ?? 0
        guard stored == version else {
            return "it has schema version \(stored), and the model has version \(version)"
        }
        do { _ = try additions(to: snapshot.schema) } catch { return error.detail }
        return nil
    }

    /// Whether a version of the file lacks classes, properties or marks of the model, or has
    /// another model version.
    private func lacksParts(_ snapshot: Snapshot) throws(StoreError) -> Bool {
        let schema = snapshot.schema
        return try !additions(to: schema).isEmpty || !inverseChanges(to: schema).isEmpty
            || !unmarkedProperties(in: schema).isEmpty || version > snapshot.modelVersion ?? 0
    }

    /// Adds what the file lacks, in a transaction.
    private func complete(_ transaction: WriteTransaction) throws(StoreError) {
        try add(to: transaction)
        try mark(in: transaction)
        if version > transaction.base.modelVersion ?? 0 {
            try transaction.setModelVersion(version)
        }
    }

    private func add(to transaction: WriteTransaction) throws(StoreError) {
        for change in try additions(to: transaction.schema) {
            _ = try transaction.apply(.schema(change))
        }
        // All source properties of the inverses exist at this point.
        try addInverses(to: transaction)
    }

    /// Adds the inverses of the model whose source properties exist.
    func addInverses(to transaction: WriteTransaction) throws(StoreError) {
        for change in inverseChanges(to: transaction.schema) {
            _ = try transaction.apply(.schema(change))
        }
    }

    /// Adds the indexes of the model; removes others if the model has a higher version than the
    /// last one.
    ///
    /// A file without a version may have been made by `firn`, with the indexes that its user wants.
    func mark(in transaction: WriteTransaction) throws(StoreError) {
        for (id, property) in unmarkedProperties(in: transaction.schema) {
            try transaction.markProperty(property, of: id, isIndexed: true)
        }
        guard let last = transaction.base.modelVersion, version > last else { return }
        for comparison in comparisons(with: transaction.schema) {
            for property in comparison.unwanted {
                try transaction.markProperty(
                    property, of: comparison.known.id, isIndexed: false)
            }
        }
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
        let lacking = comparisons(with: schema).flatMap { comparison in
            comparison.addedNames.map { SchemaComparison.added(comparison.known.name, $0) }
        }
        guard lacking.isEmpty else {
            throw StoreError(
                .invalidSchema, path: path,
                detail: "the file is opened for reading only, and lacks parts of the model:"
                    + ModelSchema.list(lacking))
        }
        guard !(additions.isEmpty && inverseChanges(to: schema).isEmpty) else { return snapshot }
        return try snapshot.withSchemaPreview(add)
    }

    /// Returns whether a version of the file has all of these classes as declared.
    func isComplete(in schema: FirnEngine.Schema) -> Bool {
        // A version that needs a migration counts as incomplete.
        (try? additions(to: schema).isEmpty) == true && inverseChanges(to: schema).isEmpty
    }

    // MARK: Differences

    /// Returns the comparisons of the classes that the file has.
    func comparisons(with schema: FirnEngine.Schema) -> [SchemaComparison] {
        layouts.compactMap { layout in
            schema.classNamed(layout.className).map { SchemaComparison(layout, $0, schema) }
        }
    }

    /// Returns the classes that the file lacks.
    func missingClasses(in schema: FirnEngine.Schema) -> [ClassDefinition] {
        layouts.filter { schema.classNamed($0.className) == nil }.map(\.storedDefinition)
    }

    /// Returns the classes and properties that the file lacks, without inverses.
    ///
    /// - Throws: ``StoreError`` with `invalidSchema` and all differences if a migration is needed.
    func additions(to schema: FirnEngine.Schema) throws(StoreError) -> [SchemaChange] {
        let comparisons = comparisons(with: schema)
        guard !comparisons.contains(where: \.needsMigration) else {
            throw mismatch(comparisons.flatMap(\.reasons))
        }
        let missing = missingClasses(in: schema)
        return (missing.isEmpty ? [] : [.addClasses(missing)]) + comparisons.flatMap(\.changes)
    }

    /// Returns the properties that have an index in the model but not in the file.
    private func unmarkedProperties(
        in schema: FirnEngine.Schema
    ) -> [(ClassID, PropertyID)] {
        comparisons(with: schema).flatMap { comparison in
            comparison.unmarked.map { (comparison.known.id, $0) }
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

    private func mismatch(_ reasons: [String]) -> StoreError {
        StoreError(
            .invalidSchema, path: path,
            detail: "a migration is required (increase schemaVersion of the configuration and set "
                + "its migrationBlock, or change the file with firn alter) because of these "
                + "differences:" + ModelSchema.list(reasons))
    }

    /// Returns reasons as a list with one line each.
    static func list(_ reasons: [String]) -> String { reasons.map { "\n- \($0)" }.joined() }
}
