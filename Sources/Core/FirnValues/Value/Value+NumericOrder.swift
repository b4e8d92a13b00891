extension Value {
    /// Compares two numbers of any kinds by their exact values.
    ///
    /// NaN comes last.
    static func numericOrder(_ left: Value, _ right: Value) -> Ordering {
        switch (left, right) {
        case (.int(let left), .int(let right)): return Ordering(left, right)
        case (.int(let left), .double(let right)): return order(left, right)
        case (.double(let left), .int(let right)): return order(right, left).reversed
        case (.decimal128(let left), .decimal128(let right)):
            return left.numericOrder(relativeTo: right)
        case (.decimal128, _), (_, .decimal128):
            return exact(left).order(relativeTo: exact(right))
        case (.float(let left), _): return numericOrder(.double(Double(left)), right)
        case (_, .float(let right)): return numericOrder(left, .double(Double(right)))
        case (.double(let left), .double(let right)): return order(left, right)
        default: return .equal
        }
    }

    /// Compares two doubles.
    ///
    /// NaN comes last, and both zeros are equal.
    public static func order(_ left: Double, _ right: Double) -> Ordering {
        if left < right { return .less }
        if left > right { return .greater }
        if left == right { return .equal }
        return Ordering(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0)
    }

    /// Compares an integer exactly with a double, which may lie between two integers.
    public static func order(_ left: Int64, _ right: Double) -> Ordering {
        if right.isNaN { return .less }
        // 2^63 is representable as a double, Int64.max is not: these bounds are exact.
        if right >= 0x1p63 { return .less }
        if right < -0x1p63 { return .greater }
        let whole = right.rounded(.down)
        guard let floor = Int64(exactly: whole) else { return .less }
        let order = Ordering(left, floor)
        return order == .equal && whole < right ? .less : order
    }

    private static func exact(_ value: Value) -> ExactNumber {
        switch value {
        case .int(let value): ExactNumber(value)
        case .float(let value): ExactNumber(Double(value))
        case .double(let value): ExactNumber(value)
        case .decimal128(let value): ExactNumber(value)
        default: ExactNumber(Int64(0))
        }
    }
}
