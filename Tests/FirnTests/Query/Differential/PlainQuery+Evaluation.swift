import Foundation

/// Evaluates conditions object by object and value by value.
extension PlainWorld {
    func passes(_ query: PlainQuery, _ object: PlainReference) -> Bool {
        switch query {
        case .and(let left, let right): return passes(left, object) && passes(right, object)
        case .or(let left, let right): return passes(left, object) || passes(right, object)
        case .not(let inner): return !passes(inner, object)
        case .compare(let quantifier, let path, let operation, let literal):
            return fold(quantifier, path, object) { holds($0, operation, literal) }
        case .mirrored(let literal, let operation, let quantifier, let path):
            return fold(quantifier, path, object) { holds($0, operation.mirrored, literal) }
        case .list(let outer, let path, let operation, let inner, let literals, let isListFirst):
            // The quantifier on the left is the outer one.
            return groups(outer, path, object).contains { values in
                isListFirst
                    ? inner.holds(literals) { literal in
                        outer.holds(values) { holds($0, operation.mirrored, literal) }
                    }
                    : outer.holds(values) { value in
                        inner.holds(literals) { holds(value, operation, $0) }
                    }
            }
        case .isIn(let quantifier, let path, let literals):
            return fold(quantifier, path, object) { value in
                literals.contains { holds(value, .equal, $0) }
            }
        case .whole(let path, let literals):
            let values = follow(path.steps[...], from: .object(object), isInAny: false)
            return values.count == literals.count
                && zip(values, literals).allSatisfy { holds($0, .equal, $1) }
        case .sum(let path, let added, let operation, let literal):
            guard case .decimal(let digits)? = values(path, object).first,
                case .number(let addedDigits) = added, let left = Decimal(string: digits),
                let right = Decimal(string: addedDigits)
            else { return holds(.null, operation, literal) }
            return holds(.decimal("\(rounded(left + right))"), operation, literal)
        case .count(let path, let condition, let operation, let count):
            let passing = objects(path, object).count { passes(condition, $0) }
            return holds(.int(Int64(passing)), operation, .number("\(count)"))
        }
    }

    /// Without a quantifier, several values mean ANY.
    private func fold(
        _ quantifier: PlainQuantifier?, _ path: PlainPath, _ object: PlainReference,
        _ holds: (PlainValue) -> Bool
    ) -> Bool {
        let quantifier = quantifier ?? .any
        return groups(quantifier, path, object).contains { quantifier.holds($0, holds) }
    }

    /// The values of a path; for ALL and NONE, those of each innermost collection inside an Any if
    /// there are several.
    private func groups(
        _ quantifier: PlainQuantifier, _ path: PlainPath, _ object: PlainReference
    ) -> [[PlainValue]] {
        guard quantifier != .any, let last = lastOfSeveral(path, object.classIndex) else {
            return [values(path, object)]
        }
        let collections = follow(path.steps[..<last], from: .object(object), isInAny: false)
        let groups = collections.compactMap { collection -> [PlainValue]? in
            switch collection {
            case .list, .map: follow(path.steps[last...], from: collection, isInAny: true)
            default: nil
            }
        }
        return groups.isEmpty ? [[]] : groups
    }

    /// The index of the last `[*]` or `@keys` inside an Any, if another `[*]` precedes it there.
    private func lastOfSeveral(_ path: PlainPath, _ classIndex: Int) -> Int? {
        var classIndex = classIndex
        var start: Int?
        for (index, step) in path.steps.enumerated() {
            guard case .name(let name) = step, let property = property(name, of: classIndex) else {
                continue
            }
            switch property.kind {
            case .any, .anys, .anyMap: start = index + 1
            default: classIndex = property.kind.target ?? classIndex
            }
            if start != nil { break }
        }
        guard let start else { return nil }
        let inside = path.steps[start...]
        guard let last = inside.lastIndex(where: { $0 == .all || $0 == .keys }),
            inside[..<last].contains(.all)
        else { return nil }
        return last
    }

    /// Rounds to the 34 digits of a Decimal128, halves to even.
    private func rounded(_ number: Decimal) -> Decimal {
        var whole = Decimal()
        var exact = number
        NSDecimalRound(&whole, &exact, 0, .down)
        let wholeDigits = whole.isZero ? 0 : "\(whole.magnitude)".count
        var result = Decimal()
        NSDecimalRound(&result, &exact, 34 - wholeDigits, .bankers)
        return result
    }

    // MARK: Paths

    /// One value, null if it does not exist, or all values of a multiple path.
    func values(_ path: PlainPath, _ object: PlainReference) -> [PlainValue] {
        let values = follow(path.steps[...], from: .object(object), isInAny: false)
        return path.isMultiple || !values.isEmpty ? values : [.null]
    }

    private func objects(_ path: PlainPath, _ object: PlainReference) -> [PlainReference] {
        values(path, object).compactMap { if case .object(let found) = $0 { found } else { nil } }
    }

    /// - Parameter isInAny: whether the value is an Any, or inside one: the path continues from a
    ///   missing value as from null, and only `[*]` leads to all elements.
    private func follow(
        _ steps: ArraySlice<PlainPath.Step>, from value: PlainValue, isInAny: Bool
    ) -> [PlainValue] {
        guard let step = steps.first else { return [value] }
        let rest = steps.dropFirst()
        func one(_ value: PlainValue?) -> [PlainValue] {
            follow(rest, from: value ?? .null, isInAny: true)
        }
        switch (step, value) {
        case (.name(let name), .object(let object)):
            guard let property = property(name, of: object.classIndex) else {
                return isInAny ? one(nil) : []
            }
            let found = self.value(name, of: object) ?? .null
            return isInAny ? one(found) : enter(property, found, rest)
        case (.name(let key), .map(let entries)), (.key(let key), .map(let entries)):
            return one(entries.first { $0.key == key }?.value)
        case (.key(let name), .object(let object)) where isInAny:
            return one(self.value(name, of: object))
        case (.index(let index), .list(let elements)):
            return one(elements.indices.contains(index) ? elements[index] : nil)
        case (.all, .list(let elements)):
            return elements.flatMap { follow(rest, from: $0, isInAny: true) }
        case (.all, .map(let entries)):
            return entries.flatMap { follow(rest, from: $0.value, isInAny: true) }
        case (.keys, .map(let entries)): return entries.map { .text($0.key) }
        case (.all, _), (.keys, _): return []
        default: return isInAny ? one(nil) : []
        }
    }

    /// Continues from a declared property, where a mere dot enters a collection of objects.
    private func enter(
        _ property: PlainProperty, _ value: PlainValue, _ rest: ArraySlice<PlainPath.Step>
    ) -> [PlainValue] {
        switch (property.kind, value) {
        case (.any, _): return follow(rest, from: value, isInAny: true)
        case (.anys, _), (.anyMap, _):
            if rest.isEmpty { return elements(value) }
            return follow(rest, from: value, isInAny: true)
        case (.ints, _), (.decimals, _), (.texts, _): return elements(value)
        case (.links, .list(let elements)):
            return elements.flatMap { follow(rest, from: $0, isInAny: false) }
        case (.linkMap, .map(let entries)):
            if rest.first == .keys { return entries.map { .text($0.key) } }
            // A condition on the values themselves sees those that lead nowhere.
            return entries.flatMap { entry -> [PlainValue] in
                if rest.isEmpty { return [entry.value] }
                return follow(rest, from: entry.value, isInAny: false)
            }
        default: return follow(rest, from: value, isInAny: false)
        }
    }

    private func elements(_ value: PlainValue) -> [PlainValue] {
        switch value {
        case .list(let elements): elements
        case .map(let entries): entries.map(\.value)
        default: []
        }
    }

    // MARK: Values

    func holds(
        _ value: PlainValue, _ operation: PlainOperator, _ literal: PlainLiteral
    ) -> Bool {
        if PlainOperator.texts.contains(operation) { return matches(value, operation, literal) }
        if value == .null || literal == .null {
            let areBothNull = value == .null && literal == .null
            switch operation {
            case .notEqual: return !areBothNull
            case .less, .greater: return false
            default: return areBothNull
            }
        }
        guard let order = order(value, literal) else { return operation == .notEqual }
        switch operation {
        case .equal: return order == .orderedSame
        case .notEqual: return order != .orderedSame
        case .less: return order == .orderedAscending
        case .lessOrEqual: return order != .orderedDescending
        case .greater: return order == .orderedDescending
        default: return order != .orderedAscending
        }
    }

    /// The order of a value relative to a literal; `nil` if they cannot be compared.
    ///
    /// The type of the value determines the meaning of the literal: a Double is compared with the
    /// nearest Double, an Int and a decimal with all digits.
    private func order(_ value: PlainValue, _ literal: PlainLiteral) -> ComparisonResult? {
        switch (value, literal) {
        case (.double(let number), .number(let digits)):
            guard digits.contains(".") || Int64(digits) == nil else {
                return compare(exactly: number, Decimal(string: digits))
            }
            guard let other = Double(digits) else { return nil }
            return number < other
                ? .orderedAscending : number > other ? .orderedDescending : .orderedSame
        case (.int(let number), .number(let digits)):
            return compare(Decimal(number), Decimal(string: digits))
        case (.decimal(let number), .number(let digits)):
            return compare(Decimal(string: number), Decimal(string: digits))
        case (.text(let left), .text(let right)):
            if left.utf8.elementsEqual(right.utf8) { return .orderedSame }
            return left.utf8.lexicographicallyPrecedes(right.utf8)
                ? .orderedAscending : .orderedDescending
        default: return nil
        }
    }

    private func compare(_ left: Decimal?, _ right: Decimal?) -> ComparisonResult? {
        guard let left, let right else { return nil }
        return left < right ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
    }

    /// Integer literals are small here, and few decimal places matter.
    private func compare(exactly number: Double, _ other: Decimal?) -> ComparisonResult? {
        guard let other, let whole = Double("\(other)") else { return nil }
        return number < whole
            ? .orderedAscending : number > whole ? .orderedDescending : .orderedSame
    }

    private func matches(
        _ value: PlainValue, _ operation: PlainOperator, _ literal: PlainLiteral
    ) -> Bool {
        guard case .text(let text) = value, case .text(let pattern) = literal else { return false }
        switch operation {
        case .equalFolded: return text.lowercased() == pattern.lowercased()
        case .contains: return !pattern.isEmpty && text.contains(pattern)
        case .containsFolded:
            return !pattern.isEmpty && text.lowercased().contains(pattern.lowercased())
        default: return !pattern.isEmpty && text.hasPrefix(pattern)
        }
    }
}
