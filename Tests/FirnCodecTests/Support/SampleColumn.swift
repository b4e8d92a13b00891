import FirnCodec
import FirnTesting
import FirnValues

/// A column of a kind and shape, with or without nulls, generated from a seed.
struct SampleColumn: CustomStringConvertible, Sendable {
    enum Nulls: String, CaseIterable, Sendable {
        case none
        case some
        case all
    }

    enum Shape: String, CaseIterable, Sendable {
        case constant
        case few
        case sequence
        case steps
        case ascending
        case small
        case extremes
        case random
    }

    static let kinds: [ValueTag] = [
        .bool, .int, .double, .string, .date, .float, .data, .uuid, .objectID, .decimal128, .any,
    ]

    let kind: ValueTag
    let shape: Shape
    let nulls: Nulls
    let seed: UInt64
    let values: [Value]

    init(_ kind: ValueTag, _ shape: Shape, _ nulls: Nulls, rows: Int, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        self.kind = kind
        self.shape = shape
        self.nulls = nulls
        self.seed = seed
        let source = Source(shape, &random)
        values = (0..<rows).map { row in
            let value = source.value(kind, row, &random)
            switch nulls {
            case .none: return value
            case .some: return random.next() % 4 == 0 ? .null : value
            case .all: return .null
            }
        }
    }

    var description: String {
        "\(kind.name), \(shape), nulls \(nulls), \(values.count) rows, seed \(seed)"
    }

    /// Every kind and shape, with and without nulls.
    static func all(rows: Int, seed: UInt64) -> [SampleColumn] {
        var columns: [SampleColumn] = []
        for kind in kinds {
            for shape in Shape.allCases {
                for nulls in Nulls.allCases {
                    let number = UInt64(columns.count)
                    columns.append(
                        SampleColumn(kind, shape, nulls, rows: rows, seed: seed &+ number))
                }
            }
        }
        return columns
    }

    func builder() throws -> ColumnBuilder {
        let builder = ColumnBuilder(kind: kind)
        for value in values { try builder.append(value) }
        return builder
    }

    func page() throws -> ColumnPage { try builder().makePage() }
}

extension SampleColumn {
    /// Draws the values of a shape.
    struct Source {
        let shape: SampleColumn.Shape
        let start: Int64
        private let step: Int64

        init(_ shape: SampleColumn.Shape, _ random: inout SplitMix64) {
            self.shape = shape
            start = Int64.random(in: -1_000_000...1_000_000, using: &random)
            step = Int64.random(in: 2...5_000, using: &random)
        }

        func value(_ kind: ValueTag, _ row: Int, _ random: inout SplitMix64) -> Value {
            switch kind {
            case .bool: .bool(integer(row, &random) & 1 == 1)
            case .int: .int(integer(row, &random))
            case .double: .double(double(row, &random))
            case .date: .date(date(row, &random))
            case .float: .float(float(row, &random))
            case .data: .data(data(row, &random))
            case .uuid: .uuid(UUID(high: word(row, &random), low: word(row, &random)))
            case .objectID:
                .objectID(
                    ObjectID(
                        high: word(row, &random),
                        low: UInt32(truncatingIfNeeded: word(row, &random))))
            case .decimal128: .decimal128(decimal(row, &random))
            case .any: any(row, &random)
            default: .string(text(row, &random))
            }
        }

        func integer(_ row: Int, _ random: inout SplitMix64) -> Int64 {
            switch shape {
            case .constant: start
            case .few: start &+ Int64.random(in: 0..<3, using: &random) &* 1_000_003
            case .sequence: start &+ Int64(row)
            case .steps: start &+ Int64(row) &* step &* 2
            case .ascending:
                start &+ Int64(row) &* step &+ Int64.random(in: 0..<step, using: &random)
            case .small: Int64.random(in: -30...30, using: &random)
            case .extremes:
                [.min, .max, 0, -1, 1, .min + 1, .max - 1].randomElement(using: &random) ?? 0
            case .random: Int64.random(in: .min ... .max, using: &random)
            }
        }

        private func double(_ row: Int, _ random: inout SplitMix64) -> Double {
            switch shape {
            case .extremes:
                [
                    .nan, -.nan, .infinity, -.infinity, 0, -0.0, .greatestFiniteMagnitude,
                    -.leastNonzeroMagnitude, 0x1p53, 0x1p53 + 2, -0x1p63, 0x1p63, 1.5,
                ].randomElement(using: &random) ?? 0
            case .random: Double(bitPattern: random.next())
            case .few: [0.0, -0.0, 1.25].randomElement(using: &random) ?? 0
            default: Double(integer(row, &random)) / 100
            }
        }

        private func date(_ row: Int, _ random: inout SplitMix64) -> Timestamp {
            let seconds = integer(row, &random)
            switch shape {
            case .random, .extremes, .few:
                let parts: [Int64] = [0, 1, 999_999_999, Int64(random.next() % 1_000_000_000)]
                return Timestamp(
                    seconds: seconds, nanoseconds: parts.randomElement(using: &random) ?? 0)
            case .constant: return Timestamp(seconds: seconds, nanoseconds: 5)
            default: return Timestamp(seconds: seconds)
            }
        }

        func text(_ row: Int, _ random: inout SplitMix64) -> String {
            let long = "a prefix that is longer than what a zone map keeps of a string "
            switch shape {
            case .constant: return "the same é"
            case .few: return ["", "N7", "N71", "JFK", "Öl"].randomElement(using: &random) ?? ""
            case .sequence: return "row \(row)"
            case .steps: return long + String(row % 7)
            case .ascending: return long + "\(row) äöü"
            case .small:
                return ["special", "SPECIAL", "spécial", "spe", "cial", "xspecialx"]
                    .randomElement(using: &random) ?? ""
            case .extremes:
                return ["", "\u{0}", "\u{10FFFF}", "\u{7F}", "e\u{301}", "é", "한글", "ß", "İ"]
                    .randomElement(using: &random) ?? ""
            case .random:
                let length = Int.random(in: 0...20, using: &random)
                return String(
                    String.UnicodeScalarView(
                        (0..<length).map { _ in
                            Unicode.Scalar(UInt32.random(in: 0x20...0x5FF, using: &random)) ?? "x"
                        }))
            }
        }
    }
}
