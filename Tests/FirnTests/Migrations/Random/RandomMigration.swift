import Firn
import FirnTesting

/// A migration from one random model to another: the steps of its block, and their effect on plain
/// contents.
struct RandomMigration: Sendable {
    /// The class `Target` in the file, which a model can lack.
    struct StoredTarget: Sendable {
        var isEmbedded: Bool
        var type: RandomType?
    }

    let old: RandomModel
    let new: RandomModel
    let oldTarget: StoredTarget?
    let before: PlainContents
    private let seed: UInt64
    private var renames: [String: String] = [:]
    private var setNames: Set<String> = []
    private var deletesSamples = false
    private var createdIDs: [Int] = []
    private var deletesTargetData = false
    private var setsTargets = false
    private var deletesTargets = false

    init(
        from old: RandomModel, _ oldTarget: StoredTarget?, to new: RandomModel,
        _ before: PlainContents, _ generator: inout SplitMix64
    ) {
        self.old = old
        self.new = new
        self.oldTarget = oldTarget
        self.before = before
        seed = generator.next() >> 8
        for (name, type) in old.types.sorted(by: { $0.key < $1.key }) where new.types[name] == nil {
            let fitting = new.types.filter { $0.value.fitsRenamed(type) && renames[$0.key] == nil }
            guard let target = fitting.keys.sorted().randomElement(using: &generator) else {
                continue
            }
            renames[target] = name
        }
        setNames = Set(new.types.keys.sorted().filter { _ in generator.happens(oneIn: 3) })
        deletesSamples = generator.happens(oneIn: 12)
        let firstID = 1_000_000 + Int(seed % 1_000_000)
        createdIDs = Array(firstID..<firstID + Int.random(in: 0...2, using: &generator))
        deletesTargetData = generator.happens(oneIn: 4)
        setsTargets = generator.happens(oneIn: 2)
        deletesTargets = generator.happens(oneIn: 3)
    }

    /// Whether the objects of `Target` are embedded while the block runs.
    private var embedsInBlock: Bool { oldTarget?.isEmbedded == true && new.target != .top }

    /// The class `Target` in the file after the migration.
    var newTarget: StoredTarget? {
        guard new.target == .absent else {
            return StoredTarget(isEmbedded: new.target == .embedded, type: new.targetType)
        }
        return deletesTargetData ? nil : oldTarget
    }

    /// Returns the value that the block gives to a property of an object.
    private func value(_ name: String, _ id: Int, _ type: RandomType) -> (
        value: Any?, plain: RowValue
    ) {
        let number = UInt64(name.utf8.first ?? 0)
        var generator = SplitMix64(seed: seed &+ UInt64(id) &* 1_000 &+ number)
        return type.random(&generator)
    }

    private func isDeleted(_ id: Int) -> Bool { (UInt64(id) &+ seed) % 6 == 0 }

    // MARK: Plain contents

    /// The contents after the migration.
    var after: PlainContents {
        var contents = before
        for (id, row) in before.samples { contents.samples[id] = prepared(row) }
        if deletesSamples {
            for id in before.samples.keys { contents.deleteSample(id, embedding: embedsInBlock) }
        }
        for (id, row) in contents.samples {
            guard !isDeleted(id) else {
                contents.deleteSample(id, embedding: embedsInBlock)
                continue
            }
            contents.samples[id] = row.merging(values(of: id)) { $1 }
        }
        for id in createdIDs { contents.samples[id] = created(id) }
        changeTargets(of: &contents)
        for name in old.links.subtracting(new.links) {
            contents.removeProperty(name, embedding: embedsInBlock)
        }
        if new.target == .absent, deletesTargetData { contents.targets = [:] }
        if new.target == .embedded, oldTarget?.isEmbedded != true { contents.embedTargets() }
        return contents
    }

    /// Returns the values of an object of `Sample` as the block finds them.
    ///
    /// The links that the new model lacks are still there.
    private func prepared(_ row: PlainContents.Row) -> PlainContents.Row {
        var values = row.filter {
            ["id", "code"].contains($0.key) || RandomModel.linkNames.contains($0.key)
        }
        for (name, type) in new.types {
            if let source = renames[name], let value = row[source] {
                values[name] = value
            } else if let known = old.types[name], let value = row[name],
                type.keepsValues(of: known)
            {
                values[name] = type.kept(value)
            } else {
                values[name] = type.initial
            }
        }
        for name in new.links where row[name] == nil { values[name] = .links([]) }
        return values
    }

    private func values(of id: Int) -> PlainContents.Row {
        Dictionary(
            uniqueKeysWithValues: new.types.filter { setNames.contains($0.key) }.map {
                ($0.key, value($0.key, id, $0.value).plain)
            })
    }

    private func created(_ id: Int) -> PlainContents.Row {
        var row: PlainContents.Row = ["id": .single("\(id)"), "code": .single("code \(id)")]
        for (name, type) in new.types { row[name] = type.initial }
        for name in new.links { row[name] = .links([]) }
        return row.merging(values(of: id)) { $1 }
    }

    private func changeTargets(of contents: inout PlainContents) {
        guard oldTarget != nil, new.target != .absent else { return }
        for (number, row) in contents.targets {
            guard case .single(let name?) = row["name"], let id = Int(name) else { continue }
            guard !(deletesTargets && isDeleted(id)) else {
                contents.deleteTarget(number)
                continue
            }
            contents.targets[number]?["a"] = newTargetValue(row["a"])
            if setsTargets, let type = new.targetType {
                contents.targets[number]?["a"] = value("a", id, type).plain
            }
        }
    }

    private func newTargetValue(_ value: RowValue?) -> RowValue? {
        guard let type = new.targetType else { return nil }
        guard let known = oldTarget?.type, let value, type.keepsValues(of: known) else {
            return type.initial
        }
        return type.kept(value)
    }

    // MARK: The block

    /// Performs the same steps on a file.
    ///
    /// - Returns: The differences between what the block found and the plain contents.
    func perform(_ migration: Migration) -> [String] {
        var differences: [String] = []
        for (name, source) in renames {
            migration.renameProperty(onType: "Sample", from: source, to: name)
        }
        if deletesSamples { migration.deleteData(forType: "Sample") }
        var visited: Set<Int> = []
        migration.enumerateObjects(ofType: "Sample") { old, new in
            guard let old, let new, let id = old["id"] as? Int else {
                differences.append("an object is missing")
                return
            }
            visited.insert(id)
            differences += self.differences(id, old, new)
            if isDeleted(id) { return migration.delete(new) }
            for name in setNames.sorted() {
                guard let type = self.new.types[name] else { continue }
                new[name] = value(name, id, type).value
            }
        }
        if visited != (deletesSamples ? [] : Set(before.samples.keys)) {
            differences.append("other objects are enumerated: \(visited.sorted())")
        }
        for id in createdIDs {
            var values: [String: Any] = ["id": id, "code": "code \(id)"]
            for name in setNames {
                guard let type = new.types[name] else { continue }
                values[name] = value(name, id, type).value as Any
            }
            migration.create("Sample", value: values)
        }
        performOnTargets(migration)
        return differences
    }

    private func performOnTargets(_ migration: Migration) {
        if new.target == .absent, deletesTargetData { migration.deleteData(forType: "Target") }
        guard oldTarget != nil, new.target != .absent else { return }
        migration.enumerateObjects(ofType: "Target") { old, new in
            guard let new, let name = old?["name"] as? String, let id = Int(name) else { return }
            if deletesTargets, isDeleted(id) { return migration.delete(new) }
            if setsTargets, let type = self.new.targetType { new["a"] = value("a", id, type).value }
        }
    }

    private func differences(_ id: Int, _ old: MigrationObject, _ new: MigrationObject) -> [String]
    {
        let row = before.samples[id] ?? [:]
        let expected = prepared(row)
        return self.old.types.compactMap { name, type in
            let found = RowValue(old[name], type)
            return found == row[name] ? nil : "old \(name) of \(id): \(found)"
        }
            + self.new.types.compactMap { name, type in
                let found = RowValue(new[name], type)
                return found == expected[name] ? nil : "new \(name) of \(id): \(found)"
            }
    }
}
