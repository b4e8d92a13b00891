import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// The entries of an index that include all objects that satisfy some conditions.
struct IndexLookup {
    let index: IndexSchema
    /// The ranges of keys, ascending; no entry is in two of them.
    let ranges: [IndexRange]
    /// The conditions that the ranges imply, by their position.
    let used: Set<Int>
    /// Whether every object of the ranges passes these conditions.
    let isExact: Bool
    /// The number of leading properties that are looked up by single values.
    let valueCount: Int
    /// Whether the ranges are single values of all properties.
    let looksForValues: Bool
    /// Whether no object has two entries.
    let isDistinct: Bool

    /// The maximum number of ranges; a larger number of values is looked up by a scan.
    private static let rangeCountMax = 1 << 16

    /// Returns the ranges of an index that conditions imply together; `nil` if they imply none.
    ///
    /// The values of the first properties are looked up, and a range of those of the next one:
    ///
    ///     index (origin, dest, day)    origin == "OSL" && dest IN {"BGO", "TRD"} && day > 3
    ///     ranges                       OSL BGO 3...    OSL TRD 3...
    init?(_ index: IndexSchema, of schema: ClassSchema, _ conditions: [BoundPredicate]) {
        let ignoresCase = index.options.contains(.caseInsensitive)
        var prefixes: [[UInt8]] = [[]]
        var used: Set<Int> = []
        var isExact = true
        var last: IndexRange?
        var valueCount = 0
        for id in index.properties {
            guard let property = schema[id], last == nil else { break }
            let tests = conditions.indices.compactMap { position -> (Int, ValueRanges)? in
                guard let test = conditions[position].indexTest(of: property),
                    let ranges = ValueRanges(test, of: property, ignoresCase: ignoresCase)
                else { return nil }
                return (position, ranges)
            }
            guard let points = IndexLookup.fewest(tests) else {
                // Two elements of a list may pass two conditions, so that ranges do not meet.
                let isSingle = property.type.container == .single
                for (position, ranges) in isSingle ? tests[...] : tests.prefix(1) {
                    guard case .range(let range, let isComplete) = ranges else { continue }
                    last = last.map { $0.intersected(with: range) } ?? range
                    used.insert(position)
                    isExact = isExact && isComplete
                }
                break
            }
            guard prefixes.count * points.keys.count <= IndexLookup.rangeCountMax else { break }
            prefixes = prefixes.flatMap { prefix in points.keys.map { prefix + $0 } }
            used.insert(points.position)
            isExact = isExact && points.isExact
            valueCount += 1
        }
        guard !used.isEmpty else { return nil }
        self.index = index
        ranges = prefixes.map { prefix in
            last.map { $0.following(prefix) } ?? IndexRange(prefix: prefix)
        }
        self.used = used
        self.isExact = isExact
        self.valueCount = valueCount
        looksForValues = last == nil && used.count == index.properties.count
        isDistinct = index.properties.allSatisfy { schema[$0]?.type.container == .single }
    }

    /// Returns an index that would serve a condition on single values, if the class does not have
    /// one.
    static func missing(
        for conditions: [BoundPredicate], of schema: ClassSchema
    ) -> IndexSchema? {
        for property in schema.properties where property.canBeIndexed && property.id != schema.key {
            for options in [[], .caseInsensitive] as [IndexSchema.Options]
            where options.isEmpty || property.type.base == .string {
                let index = IndexSchema(
                    id: IndexID(0), properties: [property.id], options: options)
                let isThere = schema.indexes.contains {
                    $0.properties.first == property.id
                        && $0.options.subtracting(.unique) == options
                }
                guard !isThere, let lookup = IndexLookup(index, of: schema, conditions),
                    lookup.looksForValues
                else { continue }
                return index
            }
        }
        return nil
    }

    /// Returns the test with the fewest single values.
    private static func fewest(
        _ tests: [(Int, ValueRanges)]
    ) -> (position: Int, keys: [[UInt8]], isExact: Bool)? {
        var best: (position: Int, keys: [[UInt8]], isExact: Bool)?
        for (position, ranges) in tests {
            guard case .points(let keys, let isExact) = ranges,
                keys.count < best?.keys.count ?? .max
            else { continue }
            best = (position, keys, isExact)
        }
        return best
    }
}

extension BoundPredicate {
    /// The test of a property, or of any of its elements, whose objects an index stores together.
    fileprivate func indexTest(of property: PropertySchema) -> ColumnTest? {
        if let (column, test) = columnTest {
            guard case .property(let tested) = column, tested.id == property.id else { return nil }
            return test
        }
        guard case .comparison(let comparison) = self, comparison.left.quantifier == .any,
            case .constant(let test) = comparison.test, let path = comparison.eachPath,
            path.steps.isEmpty, path.measure == nil, case .elements(let tested) = path.terminal,
            tested.id == property.id
        else { return nil }
        return test
    }
}
