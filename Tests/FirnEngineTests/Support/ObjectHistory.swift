import FirnCodec
import FirnEngine
import FirnPlatform
import FirnTesting
import FirnValues

/// One random history of a database and its model: every operation is applied to both.
final class ObjectHistory {
    let disk = SimulatedFileSystem()
    let services: SystemServices
    var generator: SplitMix64
    var store: Store
    var model: ObjectModel
    /// Recent operations, for the message of a failure.
    var log: [String] = []
    var operationCount = 0
    /// The number of generated names, which are all different.
    var nameCount = 0
    var nextKey: Int64 = 0
    /// The approximate number of objects of a class.
    let population: Int
    /// The store for commits that stay in the overlay; `nil`: each is a root.
    let overlays: OverlayStore?
    /// Whether versions are also compared with each other.
    var checksChanges = false
    private var committed: ObjectModel
    /// Older versions that are still read, with their content.
    private var versions: [(snapshot: Snapshot, model: ObjectModel)] = []
    private let options: StoreOptions
    static let path = "/objects.firn"

    /// - Parameters:
    ///   - recordedByteCount: the size of operations beyond which a transaction writes pages.
    ///   - compression: the compression of the file.
    init(
        seed: UInt64, population: Int, keepsOverlays: Bool = false,
        recordedByteCount: Int = 1 << 20, compression: CompressionLevel = .fast
    ) throws {
        generator = SplitMix64(seed: seed)
        services = disk.services(entropySeed: seed)
        self.population = population
        let creation = try Store.create(
            ObjectHistory.path, services: services, options: Sample.options(rowsPerGroup: 8))
        let transaction = try creation.store.beginWrite()
        try transaction.addClasses(ObjectHistory.definitions)
        model = ObjectModel(transaction.schema)
        _ = try transaction.commit()
        try creation.publish()
        committed = model
        // Every commit makes a root, which the verifier examines.
        var options = StoreOptions()
        options.logging = .never
        options.recordedByteCountMaximum = recordedByteCount
        options.compression = compression
        self.options = options
        store = try Store.open(
            ObjectHistory.path, readOnly: false, services: services, options: options)
        overlays = keepsOverlays ? try OverlayStore(store) : nil
    }

    func run(operations: Int, perTransaction: Int) throws {
        while operationCount < operations {
            let transaction = try overlays?.begin() ?? store.beginWrite()
            log = []
            let size = Int.random(in: 1...perTransaction, using: &generator)
            for _ in 0..<size {
                operationCount += 1
                try operate(transaction)
                if generator.happens(oneIn: 16) { try sample(transaction) }
                if generator.happens(oneIn: 400) {
                    note("snapshot")
                    try model.compare(
                        with: transaction.snapshot(), &generator, what: "inside of a transaction")
                }
            }
            try end(transaction)
        }
    }

    private func end(_ transaction: WriteTransaction) throws {
        if generator.happens(oneIn: 6) {
            transaction.rollback()
            model = committed
        } else {
            try sample(transaction)
            try commit(transaction)
            committed = model
        }
        let snapshot = try newest()
        try model.compare(with: snapshot, &generator, what: "after a commit")
        for (old, model) in versions {
            try model.compare(with: old, &generator, what: "an older version")
            if checksChanges { try checkChanges(from: (old, model), to: (snapshot, self.model)) }
        }
        if checksChanges || generator.happens(oneIn: 3) { versions.append((snapshot, model)) }
        if versions.count > 2 { versions.removeFirst() }
    }

    private func commit(_ transaction: WriteTransaction) throws {
        guard let overlays else {
            _ = try transaction.commit()
            return
        }
        try overlays.commit(transaction) { snapshot, what in
            try model.compare(with: snapshot, &generator, what: what)
        }
    }

    /// The newest version, after events that may happen between two transactions.
    private func newest() throws -> Snapshot {
        guard let overlays else {
            if generator.happens(oneIn: 3) {
                versions = []
                store = try Store.open(
                    ObjectHistory.path, readOnly: false, services: services, options: options)
            }
            try expectSound(store)
            return try store.snapshot()
        }
        if generator.happens(oneIn: 4) {
            note("checkpoint")
            try overlays.checkpoint(
                through: Int.random(in: 0...overlays.frames.count, using: &generator))
            try expectSound(store)
            if generator.happens(oneIn: 2) { try overlays.invalidateCaches() }
        }
        overlays.movesRoots = generator.happens(oneIn: 2)
        return overlays.current
    }

    /// Checks a few objects as the transaction sees them.
    private func sample(_ transaction: WriteTransaction) throws {
        guard let type = schema.classes.randomElement(using: &generator) else { return }
        if let row = randomRow(type) {
            try model.compare(row, in: type, with: transaction, what: "sample")
            if let key = type.key {
                let value = model.value(key, of: row, in: type.id)
                guard try transaction.row(forKey: value, in: type.id) == row else {
                    throw TestFailure("the transaction does not find \(value) in \(type.name)")
                }
            }
        }
        if let key = type.keyProperty {
            let value = Generated.key(of: key, &generator)
            guard
                try transaction.row(forKey: value, in: type.id)
                    == model.row(forKey: value, in: type)
            else { throw TestFailure("the transaction finds \(value) in \(type.name)") }
        }
    }

    func note(_ text: @autoclosure () -> String) {
        if log.count > 30 { log.removeFirst(10) }
        log.append(text())
    }

    /// Expects a refusal that changes nothing.
    func refuse(
        _ code: StoreError.Code, _ what: String, _ transaction: WriteTransaction,
        _ body: () throws -> Void
    ) throws {
        note("refused: \(what)")
        let schema = transaction.schema
        do {
            try body()
        } catch let error as StoreError {
            guard error.code == code else {
                throw TestFailure("\(what): \(error.code), not \(code): \(error.detail)")
            }
            guard transaction.schema == schema else {
                throw TestFailure("\(what) changed the classes")
            }
            return
        }
        throw TestFailure("\(what) was not refused")
    }

    // MARK: Choices

    var schema: Schema { model.schema }

    func randomRow(_ type: ClassSchema) -> RowID? {
        let objects = model.objects(type.id)
        guard !objects.rows.isEmpty else { return nil }
        for _ in 0..<8 {
            let row = RowID(UInt64.random(in: 0..<objects.nextRowID, using: &generator))
            if objects.rows[row] != nil { return row }
        }
        return objects.rows.keys.sorted().randomElement(using: &generator)
    }

    func randomClass(embedded: Bool? = false) -> ClassSchema? {
        schema.classes.filter { embedded == nil || $0.isEmbedded == embedded }
            .randomElement(using: &generator)
    }

    func randomLink(to id: ClassID) -> Value {
        guard let type = schema[id], !generator.happens(oneIn: 8), let row = randomRow(type) else {
            return .null
        }
        return .link(ObjectReference(classID: id, rowID: row))
    }

    func randomAny(depth: Int = 0) -> Value {
        switch generator.next() % 10 {
        case 0 where depth < 3:
            return .list((0..<Int(generator.next() % 4)).map { _ in randomAny(depth: depth + 1) })
        case 1 where depth < 3:
            let keys = (0..<Int(generator.next() % 4)).map { "k\($0)" }
            return .map(
                TextMap(uniqueKeysWithValues: keys.map { ($0, randomAny(depth: depth + 1)) }))
        case 2...5:
            return randomClass().map { randomLink(to: $0.id) } ?? .null
        default:
            return Generated.scalar(
                PropertyType(
                    Generated.pick(Generated.scalarBases, &generator), isOptional: true),
                &generator)
        }
    }

    /// A value of the element type; embedded objects are created first.
    func randomElement(
        _ property: PropertySchema, _ transaction: WriteTransaction
    ) throws -> Value {
        switch property.type.base {
        case .any: return randomAny()
        case .link:
            guard let id = property.type.target else { return .null }
            guard schema.isOwning(property) else {
                let link = randomLink(to: id)
                if !link.isNull || property.type.mayBeNull { return link }
                return .null
            }
            if property.type.mayBeNull, generator.happens(oneIn: 4) { return .null }
            return try makeEmbedded(id, transaction)
        default: return Generated.scalar(property.type, &generator)
        }
    }

    private func makeEmbedded(_ id: ClassID, _ transaction: WriteTransaction) throws -> Value {
        guard let type = schema[id] else { return .null }
        let values = try type.properties.map { try randomValue($0, transaction) }
        let row = try transaction.create(in: id, values)
        note("embedded \(type.name) \(row.rawValue)")
        model.create(values, at: row, in: type)
        return .link(ObjectReference(classID: id, rowID: row))
    }

    /// A value of the property, including whole collections.
    func randomValue(
        _ property: PropertySchema, _ transaction: WriteTransaction, mayBeLarge: Bool = false
    ) throws -> Value {
        guard property.type.container != .single else {
            return try randomElement(property, transaction)
        }
        var count = Int(generator.next() % 5)
        if mayBeLarge, !schema.isOwning(property) {
            count = Int.random(in: 1000...1100, using: &generator)
        }
        var elements: [Value] = []
        for _ in 0..<count {
            let element = try randomElement(property, transaction)
            if element.isNull, !property.type.mayBeNull { continue }
            elements.append(element)
        }
        switch property.type.container {
        case .single, .list: return .list(elements)
        case .set: return .set(elements)
        case .map:
            let keys = count > 100 ? (0..<count).map { "m\($0)" } : ["a", "b", "", "\u{E9}", "z z"]
            return .map(TextMap(uniqueKeysWithValues: zip(keys, elements)))
        }
    }
}

extension ObjectHistory {
    private static func property(
        _ name: String, _ base: ValueTag, optional: Bool = false,
        _ container: PropertyType.Container = .single, to target: String? = nil,
        width: IntegerWidth = .bits64
    ) -> ClassDefinition.Property {
        ClassDefinition.Property(
            name: name,
            type: PropertyType(
                base, isOptional: optional, container: container, integerWidth: width),
            targetName: target)
    }

    private static let scalars: [ClassDefinition.Property] = Generated.scalarBases.map {
        property("o\($0.name)", $0, optional: true)
    }

    static let definitions: [ClassDefinition] = [
        ClassDefinition(
            name: "Plane",
            properties: [property("id", .int)] + scalars + [
                property("i8", .int, width: .bits8), property("i16", .int, width: .bits16),
                property("i32", .int, optional: true, width: .bits32),
                property("pilot", .link, to: "Person"), property("next", .link, to: "Plane"),
                property("cargo", .any),
            ], keyName: "id", inverses: []),
        ClassDefinition(
            name: "Person",
            properties: [
                property("name", .string, optional: true),
                property("tags", .string, optional: true, .list),
                property("numbers", .int, .set), property("scores", .double, optional: true, .map),
                property("friends", .link, .list, to: "Person"),
                property("planes", .link, .set, to: "Plane"),
                property("best", .link, .map, to: "Plane"),
                property("home", .link, to: "Address"),
            ], keyName: "name",
            inverses: [
                .init(name: "flown", sourceClassName: "Plane", sourcePropertyName: "pilot")
            ]),
        ClassDefinition(
            name: "Tag",
            properties: [
                property("id", .uuid), property("list", .any, .list), property("set", .any, .set),
                property("map", .any, .map), property("places", .link, .list, to: "Address"),
            ], keyName: "id"),
        ClassDefinition(
            name: "Desk",
            properties: [
                property("id", .int, optional: true), property("label", .string),
                property("next", .link, to: "Desk"), property("count", .int),
                property("drawers", .int, .list),
            ], keyName: "id"),
        ClassDefinition(
            name: "Event",
            properties: [
                property("tag", .link, to: "Tag"), property("offices", .link, .map, to: "Address"),
                property("dates", .date, .list), property("days", .date, .set),
                property("bytes", .data, .map),
            ]),
        ClassDefinition(
            name: "Address",
            properties: [
                property("street", .string), property("geo", .link, to: "Geo"),
                property("notes", .string, .list), property("ref", .any),
                property("owner", .link, to: "Person"),
            ], isEmbedded: true),
        ClassDefinition(
            name: "Geo",
            properties: [property("x", .double), property("near", .link, .list, to: "Plane")],
            isEmbedded: true),
    ]
}
