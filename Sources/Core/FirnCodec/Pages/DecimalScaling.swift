import FirnValues

/// Finds the power of ten that converts doubles to integers without loss.
///
/// A value v fits `places` p if there is an integer n of at most 2^53 for which `Double(n) / 10^p`
/// has the same bits. Both operands are exact, so the division rounds correctly, and yields the
/// double that the decimal text n / 10^p is read as.
enum DecimalScaling {
    static let placesMax = 15
    static let integerMax: Int64 = 1 << 53

    private static let scales: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]

    static func scale(_ places: Int) -> Double { scales[places] }

    /// Returns the Float that an integer represents, as a double.
    @inline(__always)
    static func float(_ integer: Int64, scale: Double) -> Double {
        Double(Float(Double(integer) / scale))
    }

    /// Returns the integers of all values and their common decimal places; `nil` if a value has
    /// none.
    ///
    /// The integer of a null row is 0.
    static func integers(
        of values: UnsafeBufferPointer<Double>, areFloats: Bool, isNull: (Int) -> Bool
    ) -> (integers: [Int64], places: Int)? {
        areFloats
            ? integers(of: values, integer: Self.integer(ofFloat:scale:), isNull: isNull)
            : integers(of: values, integer: Self.integer(of:scale:), isNull: isNull)
    }

    @inline(__always)
    private static func integers(
        of values: UnsafeBufferPointer<Double>, integer: (Double, Double) -> Int64?,
        isNull: (Int) -> Bool
    ) -> (integers: [Int64], places: Int)? {
        var places = 0
        var integers = [Int64](repeating: 0, count: values.count)
        for (index, value) in values.enumerated() where !isNull(index) {
            guard fits(value, from: &places, integer) else { return nil }
        }
        let scale = scales[places]
        for (index, value) in values.enumerated() where !isNull(index) {
            guard let integer = integer(value, scale) else { return nil }
            integers[index] = integer
        }
        return (integers, places)
    }

    /// Increases `places` until the value fits.
    @inline(__always)
    private static func fits(
        _ value: Double, from places: inout Int, _ integer: (Double, Double) -> Int64?
    ) -> Bool {
        while places <= placesMax {
            if integer(value, scales[places]) != nil { return true }
            places += 1
        }
        return false
    }

    @inline(__always)
    private static func integer(of value: Double, scale: Double) -> Int64? {
        let scaled = (value * scale).rounded(.toNearestOrEven)
        // This is also false for NaN and infinity.
        guard scaled.magnitude <= 0x1p53 else { return nil }
        let integer = Int64(scaled)
        return (Double(integer) / scale).bitPattern == value.bitPattern ? integer : nil
    }

    /// Like ``integer(of:scale:)``, for a widened Float.
    ///
    /// The quotient is rounded to a Float.
    @inline(__always)
    private static func integer(ofFloat value: Double, scale: Double) -> Int64? {
        let scaled = (value * scale).rounded(.toNearestOrEven)
        guard scaled.magnitude <= 0x1p53 else { return nil }
        let integer = Int64(scaled)
        return float(integer, scale: scale).bitPattern == value.bitPattern ? integer : nil
    }
}
