/// Any number of any kind.
struct ExactNumber: Comparable {
    init(_ value: Int64) {}
    init(_ value: Double) {}
    init(_ value: Decimal128) {}
    static func < (left: ExactNumber, right: ExactNumber) -> Bool { false }
}
