import Firn
import FirnEngine
import FirnPlatform
import FirnTesting
import Foundation
import Testing

extension SimulatedMigrationTests {
    /// Migrations between random models, compared with plain contents.
    ///
    /// A model has up to four properties of 34 types, three kinds of links to a class that is absent,
    /// top-level or embedded, and one of two primary keys or none. The block of a migration renames
    /// properties, sets some, deletes and creates objects, and deletes the data of classes.
    @Suite("Migrations between random models")
    struct RandomMigrationTests {
        private static let chainLength = 5

        @Test(
            "A migrated file has the same content as plain values after the same migration",
            .timeLimit(.minutes(60)), arguments: 0..<4)
        func pairs(part: Int) throws {
            let count = TestScale.scaled(100) / Self.chainLength
            var pairs = 0
            for round in 0..<count {
                let seed = TestScale.firstSeed &+ UInt64(part) &* 1_000_000_000 &+ UInt64(round)
                var run = RandomMigrationRun(seed: seed)
                for _ in 0..<Self.chainLength {
                    if let difference = try run.step() {
                        Issue.record("seed \(seed), version \(run.version): \(difference)")
                        break
                    }
                    pairs += 1
                }
            }
            print("migrated \(pairs) random pairs of models, seeds from \(TestScale.firstSeed)")
        }
    }
}

/// One file that migrates from one random model to the next.
private struct RandomMigrationRun {
    private static let path = "/random.firn"

    private var generator: SplitMix64
    private let disk = SimulatedFileSystem()
    private var model: RandomModel
    private var storedTarget: RandomMigration.StoredTarget?
    private var contents = PlainContents()
    private var nextNumber = 1
    private(set) var version: UInt64 = 0

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        model = RandomModel(&generator)
        if model.target != .absent {
            storedTarget = .init(isEmbedded: model.target == .embedded, type: model.targetType)
        }
    }

    private func configuration(
        _ model: RandomModel, _ block: MigrationBlock? = nil
    ) -> Realm.Configuration {
        var configuration = Realm.Configuration(
            fileURL: URL(fileURLWithPath: Self.path), schemaVersion: version,
            migrationBlock: block, objectTypes: model.objectTypes)
        configuration.simulatedServices = disk.services(entropySeed: 1)
        return configuration
    }

    /// Fills the file and migrates it to another model.
    ///
    /// - Returns: The first difference between the file and the plain contents.
    mutating func step() throws -> String? {
        do {
            let realm = try Realm(configuration: configuration(model))
            try realm.write { fill(realm) }
            if let difference = difference(realm) { return "before: \(difference)" }
        }
        let next = RandomModel(&generator)
        let migration = RandomMigration(
            from: model, storedTarget, to: next, contents, &generator)
        version += 1
        let found = Guarded<[String]>([])
        do {
            let realm = try Realm(
                configuration: configuration(next) { step, _ in
                    let differences = migration.perform(step)
                    found.withLock { $0 = differences }
                })
            (model, contents, storedTarget) = (next, migration.after, migration.newTarget)
            if let difference = difference(realm) { return difference }
        }
        if let difference = found.withLock({ $0 }).first { return difference }
        return try fileDifference()
    }

    // MARK: Filling

    private mutating func fill(_ realm: Realm) {
        var targets: [(object: DynamicObject, number: Int)] = []
        if model.target == .top {
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let (values, row) = target()
                targets.append((realm.dynamicCreate("Target", value: values), contents.add(row)))
            }
        }
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            let id = nextNumber
            nextNumber += 1
            var values: [String: Any] = ["id": id, "code": "code \(id)"]
            var row: PlainContents.Row = ["id": .single("\(id)"), "code": .single("code \(id)")]
            for (name, type) in model.types.sorted(by: { $0.key < $1.key }) {
                let (value, plain) = type.random(&generator)
                values[name] = value as Any
                row[name] = plain
            }
            for name in model.links.sorted() {
                let count = Int.random(in: 0...(name == "link" ? 1 : 3), using: &generator)
                let linked = (0..<count).compactMap { _ in link(to: targets) }
                row[name] = .links(linked.map(\.number))
                values[name] = Self.linkValue(name, linked.map(\.value))
            }
            realm.dynamicCreate("Sample", value: values)
            contents.samples[id] = row
        }
    }

    private mutating func target() -> (values: [String: Any], row: PlainContents.Row) {
        let name = "\(nextNumber)"
        nextNumber += 1
        var values: [String: Any] = ["name": name]
        var row: PlainContents.Row = ["name": .single(name)]
        if let type = model.targetType {
            let (value, plain) = type.random(&generator)
            values["a"] = value as Any
            row["a"] = plain
        }
        return (values, row)
    }

    private mutating func link(
        to targets: [(object: DynamicObject, number: Int)]
    ) -> (value: Any, number: Int)? {
        guard model.target == .embedded else {
            return targets.randomElement(using: &generator).map { ($0.object, $0.number) }
        }
        let (values, row) = target()
        return (values, contents.add(row))
    }

    private static func linkValue(_ name: String, _ values: [Any]) -> Any {
        switch name {
        case "link": values.first ?? NSNull()
        case "links": values
        default: Dictionary(uniqueKeysWithValues: zip(["k", "l", "m"], values))
        }
    }

    // MARK: Comparing

    private func difference(_ realm: Realm) -> String? {
        let found = realm.dynamicObjects("Sample").sorted(byKeyPath: "id").map { text($0) }
        if let difference = Self.difference(Array(found), contents.sampleTexts) {
            return difference
        }
        if realm.schema["Sample"]?.primaryKeyProperty?.name != model.key { return "another key" }
        if let key = model.key, let id = contents.samples.keys.min() {
            let value: Any = key == "id" ? id : "code \(id)"
            let object = realm.dynamicObject(ofType: "Sample", forPrimaryKey: value)
            if object?["id"] as? Int != id { return "the object \(id) is not found by its key" }
        }
        guard model.target == .top else { return nil }
        let targets = realm.dynamicObjects("Target").map { targetText($0) }
        return Self.difference(targets.sorted(), contents.targetTexts)
    }

    private static func difference(_ found: [String], _ expected: [String]) -> String? {
        guard found != expected else { return nil }
        let index = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset
        guard let index else { return "\(found.count) objects instead of \(expected.count)" }
        return "\(found[index]) instead of \(expected[index])"
    }

    private func text(_ object: DynamicObject) -> String {
        var row: PlainContents.Row = [
            "id": .single("\(object["id"] ?? "")"), "code": .single("\(object["code"] ?? "")"),
        ]
        for (name, type) in model.types { row[name] = RowValue(object[name], type) }
        var found = PlainContents()
        for name in model.links {
            let value = object[name]
            let linked: [Any?] =
                switch name {
                case "link": RowValue.content(of: value).map { [$0] } ?? []
                case "links": RowValue.elements(of: value)
                default: RowValue.entries(of: value).map(\.value)
                }
            row[name] = .links(
                linked.map { element in
                    (RowValue.content(of: element) as? ObjectBase).map {
                        found.add(targetRow($0))
                    }
                })
        }
        return found.text(row)
    }

    private func targetRow(_ object: ObjectBase) -> PlainContents.Row {
        var row: PlainContents.Row = ["name": .single("\(object["name"] ?? "")")]
        if let type = model.targetType { row["a"] = RowValue(object["a"], type) }
        return row
    }

    private func targetText(_ object: DynamicObject) -> String {
        PlainContents().text(targetRow(object))
    }

    /// Checks the whole file, and counts the objects that the model does not show.
    private func fileDifference() throws -> String? {
        let store = try Store.open(
            Self.path, readOnly: true, services: disk.services(entropySeed: 2))
        defer { try? store.close() }
        var verifier = Verifier(store, isDeep: true)
        if let finding = try verifier.run().findings.first { return finding.message }
        let snapshot = try store.snapshot()
        guard snapshot.modelVersion == version else { return "another version" }
        let target = snapshot.schema.classNamed("Target")
        let count = target.flatMap { snapshot.table($0.id)?.liveRowCount } ?? 0
        guard Int(count) == contents.targets.count else {
            return "\(count) targets instead of \(contents.targets.count)"
        }
        return (target == nil) == (storedTarget == nil) ? nil : "a class is missing or left over"
    }
}
