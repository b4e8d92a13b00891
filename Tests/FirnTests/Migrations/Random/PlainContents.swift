/// The contents of a file of a random model, outside of a database.
struct PlainContents: Equatable {
    typealias Row = [String: RowValue]

    /// The objects of the class `Sample` by their property `id`.
    var samples: [Int: Row] = [:]
    /// The objects of the class `Target` by their numbers.
    var targets: [Int: Row] = [:]
    private var nextTarget = 0

    /// Adds an object of the class `Target`, and returns its number.
    mutating func add(_ target: Row) -> Int {
        targets[nextTarget] = target
        nextTarget += 1
        return nextTarget - 1
    }

    /// Deletes an object of the class `Target`, which removes the links to it.
    mutating func deleteTarget(_ number: Int) {
        targets[number] = nil
        for (id, row) in samples {
            for case (let name, .links(let numbers)) in row where numbers.contains(number) {
                let rest = numbers.filter { name == "named" || $0 != number }
                samples[id]?[name] = .links(rest.map { $0 == number ? nil : $0 })
            }
        }
    }

    /// Deletes an object of the class `Sample`, and what is embedded in it.
    mutating func deleteSample(_ id: Int, embedding: Bool) {
        let row = samples.removeValue(forKey: id) ?? [:]
        if embedding { deleteTargets(of: Array(row.values)) }
    }

    /// Removes a property of the class `Sample`, and what is embedded in it.
    mutating func removeProperty(_ name: String, embedding: Bool) {
        for id in samples.keys {
            let value = samples[id]?.removeValue(forKey: name)
            if embedding { deleteTargets(of: [value].compactMap(\.self)) }
        }
    }

    private mutating func deleteTargets(of values: [RowValue]) {
        for case .links(let numbers) in values {
            for number in numbers.compactMap(\.self) { targets[number] = nil }
        }
    }

    /// Gives each link an object of its own, and deletes the objects without a link.
    mutating func embedTargets() {
        let old = targets
        targets = [:]
        for (id, row) in samples {
            for case (let name, .links(let numbers)) in row {
                let copies = numbers.map { number in number.map { add(old[$0] ?? [:]) } }
                samples[id]?[name] = .links(copies)
            }
        }
    }

    /// The objects of the class `Sample` as texts, in which the numbers of targets do not occur.
    var sampleTexts: [String] {
        samples.sorted { $0.key < $1.key }.map { text($0.value) }
    }

    /// The objects of the class `Target` as texts, in no particular order.
    var targetTexts: [String] { targets.values.map { text($0) }.sorted() }

    /// Returns a row as a text.
    func text(_ row: Row) -> String {
        row.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
            .joined(separator: ", ")
    }

    private func text(_ value: RowValue) -> String {
        switch value {
        case .links(let numbers):
            "\(numbers.map { $0.flatMap { targets[$0] }.map { "{\(text($0))}" } ?? "nil" })"
        case .single(let content): content ?? "nil"
        case .list(let elements): "\(elements.map { $0 ?? "nil" })"
        case .set(let elements): "\(elements.map { $0 ?? "nil" }.sorted())"
        case .map(let entries):
            "\(entries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value ?? "nil")" })"
        }
    }
}
