import FirnEngine
import FirnQuery
import FirnTesting
import FirnValues
import Testing

@testable import FirnReplication

/// Ten thousand random histories of three files and an object, without a server: the row that the
/// rules produce, against a reference that knows values instead of texts.
@Suite("Random histories of merges", .timeLimit(.minutes(5 + 5 * TestScale.factor)))
struct MergeHistoryTests {
    @Test("A row contains the combined changes of all files, in whatever order they arrive")
    func all() throws {
        let folder = TemporaryFolder()
        let schema = try SyncClient(folder("a.firn")).database.store.snapshot().schema
        let type = try SyncedClass(present(schema.classNamed("Person")), in: schema)
        for seed in TestScale.seeds(10_000) {
            let mode = ConflictRules.Mode.allCases[Int(seed % 3)]
            var history = MergeHistory(
                seed: seed, type: type, rules: ConflictRules(mode, counters: ["age"]))
            let difference = history.run(steps: 24)
            #expect(difference == nil, "seed \(seed), \(mode): \(difference ?? "")")
            if difference != nil { return }
        }
    }
}

/// The values of an object, as a file or the reference has it.
private struct Person: Equatable {
    var name: String?
    var age: Int64?
    var nums: Set<Int64> = []
    var marks: [String: Int64] = [:]

    var texts: [String: [String?]] {
        [
            "name": [name], "age": [age.map { String($0) }],
            "nums": [ArrayText.text(nums.sorted().map { String($0) })],
            "marks": [JSONNode.object(TextMap(marks.mapValues { .number(String($0)) })).text],
        ]
    }
}

/// The reference: what the server has, and the times of its values.
private struct Reference: Equatable {
    var person: Person?
    var times: [String: Int64] = [:]
    var deletedAt: Int64?
}

private struct MergeHistory {
    private struct Change {
        let outgoing: Outgoing
        let before: Person?
        let after: Person?
    }

    private struct File {
        var person: Person?
        var pending: [Change] = []
        let client: Int64
    }

    private let type: SyncedClass
    private let rules: ConflictRules
    private var random: SplitMix64
    private var row = ServerRow(texts: nil, times: [:], rowTime: HybridTime(0), deletedAt: nil)
    private var reference = Reference()
    private var files: [File] = (1...3).map { File(client: Int64($0)) }
    private var clock: Int64 = 1

    init(seed: UInt64, type: SyncedClass, rules: ConflictRules) {
        self.type = type
        self.rules = rules
        random = SplitMix64(seed: seed)
    }

    /// Runs a history.
    ///
    /// - Returns: The difference between the row and the reference, or `nil`.
    mutating func run(steps: Int) -> String? {
        for _ in 0..<steps {
            let index = Int(random.next() % 3)
            if random.happens(oneIn: 4) { synchronize(index) } else { change(index) }
            if let difference { return difference }
        }
        for index in files.indices { synchronize(index) }
        return difference
    }

    private var difference: String? {
        let expected = reference.person?.texts
        guard (row.texts == nil) == (expected == nil) else {
            return "there is \(row.texts == nil ? "no" : "a") row"
        }
        for name in ["name", "age", "nums", "marks"] {
            guard let column = type.column(named: name) else { return "no column \(name)" }
            if !column.isEqual(row.texts?[name], expected?[name]) {
                return "\(name) is \(row.texts?[name] ?? []), not \(expected?[name] ?? [])"
            }
        }
        return nil
    }

    // MARK: Files

    private mutating func change(_ index: Int) {
        let before = files[index].person
        var after: Person? = before ?? Person(age: 0)
        if before != nil, random.happens(oneIn: 6) {
            after = nil
        } else {
            for _ in 0...(random.next() % 2) { edit(&after) }
        }
        guard before != after else { return }
        files[index].person = after
        clock += 1 + Int64(random.next() % 3)
        // Clocks of files differ: their changes may arrive with earlier times than others.
        let time = HybridTime((clock + files[index].client * 2) << 12 | files[index].client)
        var properties: [PropertyText] = []
        if let texts = after?.texts {
            let old = before?.texts
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) where old?[name] != text {
                properties.append(PropertyText(name: name, texts: text, base: old?[name]))
            }
        }
        let outgoing = Outgoing(
            id: time.rawValue, sequence: 1, className: "Person", key: "1",
            kind: after == nil ? .delete : before == nil ? .create : .update, time: time,
            properties: properties)
        files[index].pending.append(Change(outgoing: outgoing, before: before, after: after))
    }

    private mutating func edit(_ person: inout Person?) {
        let number = Int64(random.next() % 6)
        switch random.next() % 4 {
        case 0: person?.name = random.happens(oneIn: 4) ? nil : "n\(number)"
        case 1:
            let age = person?.age ?? 0
            person?.age = age + number - 2
        case 2:
            if person?.nums.remove(number) == nil { person?.nums.insert(number) }
        default:
            person?.marks["k\(number % 3)"] = random.happens(oneIn: 3) ? nil : number
        }
    }

    /// Sends the changes of a file, and takes the state of the server.
    private mutating func synchronize(_ index: Int) {
        for change in files[index].pending {
            let before = (row, reference)
            do {
                try row.apply(change.outgoing, at: change.outgoing.time, in: type, rules)
                guard apply(change) else {
                    (row, reference) = before
                    continue
                }
            } catch {
                (row, reference) = before
                // The reference must refuse it as well.
                if apply(change) { reference.person = Person(name: "not refused") }
                if reference.person != Person(name: "not refused") { reference = before.1 }
            }
        }
        files[index].pending = []
        files[index].person = reference.person
    }

    // MARK: The reference

    /// - Returns: Whether the change is accepted.
    private mutating func apply(_ change: Change) -> Bool {
        let time = change.outgoing.time.rawValue
        guard let after = change.after else {
            reference.deletedAt = max(reference.deletedAt ?? time, time)
            reference.person = nil
            return true
        }
        guard let old = reference.person else {
            if change.before != nil { return rules.mode != .firstWriter }
            if let deleted = reference.deletedAt, time <= deleted, rules.mode != .arrival {
                return true
            }
            reference = Reference(
                person: after,
                times: ["name": time, "age": time, "nums": time, "marks": time])
            return true
        }
        var new = old
        guard
            merge("name", \.name, change, after, old, &new, time, nil),
            merge(
                "age", \.age, change, after, old, &new, time,
                { base, server, local in
                    guard let base, let server, let local else { return local }
                    return server + local - base
                }, isCounter: true),
            merge(
                "nums", \.nums, change, after, old, &new, time,
                { base, server, local in
                    server.subtracting(base.subtracting(local)).union(local.subtracting(base))
                }),
            merge(
                "marks", \.marks, change, after, old, &new, time,
                { base, server, local in
                    var marks = server
                    for key in Set(base.keys).union(local.keys) where base[key] != local[key] {
                        marks[key] = local[key]
                    }
                    return marks
                })
        else { return false }
        reference.person = new
        return true
    }

    /// Merges a property, and returns whether its change is accepted.
    private mutating func merge<Value: Equatable>(
        _ name: String, _ path: WritableKeyPath<Person, Value>, _ change: Change, _ after: Person,
        _ old: Person, _ new: inout Person, _ time: Int64,
        _ combine: ((Value, Value, Value) -> Value)?, isCounter: Bool = false
    ) -> Bool {
        let (server, local) = (old[keyPath: path], after[keyPath: path])
        let base = change.before.map { $0[keyPath: path] }
        guard base != local else { return true }
        let last = reference.times[name] ?? 0
        defer { reference.times[name] = max(last, time) }
        if let base, let combine, isCounter || rules.mode != .firstWriter {
            new[keyPath: path] = combine(base, server, local)
            return true
        }
        if rules.mode == .firstWriter {
            guard server == (base ?? local) || server == local else { return false }
            new[keyPath: path] = local
            return true
        }
        if rules.mode == .arrival || time > last { new[keyPath: path] = local }
        return true
    }
}
