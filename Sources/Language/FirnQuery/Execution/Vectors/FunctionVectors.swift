import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Computes functions of several vectors, row by row.
///
/// Unless noted otherwise, the result is null if an argument is null.
struct FunctionVectors {
    let function: ScalarFunction
    let arguments: [BoundExpression]
    let vectors: [ColumnVector]
    /// The kind of the result.
    let kind: ValueTag
    let count: Int
    /// Ends the query if the caller has cancelled it.
    let checkStopped: () throws(StoreError) -> Void

    func values() throws(StoreError) -> ColumnVector {
        switch function {
        case .if: Choice.values(vectors, kind)
        case .coalesce: Coalescing.values(vectors, kind, count: count)
        case .upper, .lower, .trim, .length, .substring, .replace, .split, .concat:
            TextFunctions(vectors: vectors, count: count).values(function)
        case .extract, .substitute:
            try PatternFunctions(
                vectors: vectors, arguments: arguments, count: count, checkStopped: checkStopped
            ).values(function)
        case .round, .floor, .ceil, .abs, .sign, .power, .sqrt, .exp, .ln, .log:
            NumberFunctions(vectors: vectors, kind: kind, count: count).values(function)
        case .min: GreatestValues(vectors: vectors, kind: kind, count: count).values(.less)
        case .max: GreatestValues(vectors: vectors, kind: kind, count: count).values(.greater)
        case .int, .double, .decimal, .text, .bool:
            ValueCast.values(vectors[0], as: function, kind: kind)
        case .date:
            if arguments.count > 1, let pattern = arguments[1].constantText {
                DateReading(pattern: DatePattern(pattern), zone: zone(2)).values(vectors[0])
            } else {
                DateMaking(vectors: vectors, zone: zone(6), count: count).values()
            }
        case .format:
            NumberOrDateFormat(vectors: vectors, pattern: arguments[1].constantText, zone: zone(2))
                .values()
        case .truncate:
            DateTruncation(unit: unit(1), zone: zone(2)).values(vectors[0])
        case .add: DateAddition(unit: unit(2), zone: zone(3)).values(vectors[0], vectors[1])
        case .difference:
            DateDifference(unit: unit(2), zone: zone(3)).values(vectors[0], vectors[1])
        default: DateParts(zone: zone(1)).values(function, vectors[0])
        }
    }

    /// Returns the zone that an argument names, or UTC if there is no argument.
    private func zone(_ index: Int) -> ZoneRules {
        guard index < arguments.count, let name = arguments[index].constantText else { return .utc }
        return ZoneDatabase.zone(named: name) ?? .utc
    }

    private func unit(_ index: Int) -> DateUnit { arguments[index].dateUnit ?? .second }
}

extension ColumnVector {
    /// Creates a vector of zeros, which are null where one of the operands is.
    init(zeros kind: ValueTag, count: Int, nullsOf operands: [ColumnVector]) {
        self.init(kind: kind)
        self.count = count
        if kind.isStoredAsDoubles {
            doubles = [Double](repeating: 0, count: count)
        } else {
            ints = [Int64](repeating: 0, count: count)
            if kind == .date { nanoseconds = [Int32](repeating: 0, count: count) }
        }
        for operand in operands where !operand.nulls.isEmpty {
            for row in 0..<min(count, operand.count) where operand.isNull(row) { setNull(row) }
        }
    }

    /// The numbers as doubles.
    var asDoubles: [Double] { kind.isStoredAsDoubles ? doubles : ints.map { Double($0) } }
}
