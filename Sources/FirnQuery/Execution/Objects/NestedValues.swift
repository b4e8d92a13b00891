import FirnCodec
import FirnValues

/// Values inside of the values of an Any property, or of collections of Any.
struct NestedValues {
    /// Which of the rows each value belongs to, ascending.
    private(set) var positions: [UInt32] = []
    private(set) var values: ColumnVector

    /// - Parameters:
    ///   - inner: the way inside; `[*]` and `@keys` lead to any number of values, every other step
    ///     to one, null where there is none.
    ///   - kind: of the values: any, or that of the strings that keys are.
    init(_ outer: ColumnVector, _ inner: [BoundPath.Inner], kind: ValueTag) {
        values = ColumnVector(kind: kind)
        for row in 0..<outer.count {
            for value in Self.values(in: outer.value(at: row), inner[...]) {
                positions.append(UInt32(truncatingIfNeeded: row))
                values.append(value)
            }
        }
    }

    /// Collections that are nested too deeply were refused when they were stored.
    private static func values(
        in value: Value, _ inner: ArraySlice<BoundPath.Inner>
    ) -> [Value] {
        guard let step = inner.first else { return [value] }
        let rest = inner.dropFirst()
        switch (step, value) {
        case (.all, .list(let elements)), (.all, .set(let elements)):
            return elements.flatMap { values(in: $0, rest) }
        case (.all, .map(let entries)):
            return keys(of: entries).flatMap { values(in: entries[$0] ?? .null, rest) }
        case (.keys, .map(let entries)): return keys(of: entries).map { .string($0) }
        case (.all, _), (.keys, _): return []
        case (.index(let index), .list(let elements)) where elements.indices.contains(index):
            return values(in: elements[index], rest)
        case (.first, .list(let elements)):
            return values(in: elements.first ?? .null, rest)
        case (.last, .list(let elements)):
            return values(in: elements.last ?? .null, rest)
        case (.key(let key), .map(let entries)):
            let found = entries.first { $0.key.utf8.elementsEqual(key.utf8) }
            return values(in: found?.value ?? .null, rest)
        default: return values(in: .null, rest)
        }
    }

    private static func keys(of entries: [String: Value]) -> [String] {
        entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
