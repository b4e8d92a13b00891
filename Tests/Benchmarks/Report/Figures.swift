/// Human-readable numbers with three significant digits.
enum Figures {
    static func time(_ nanoseconds: UInt64) -> String {
        let value = Double(nanoseconds)
        if value < 1e6 { return "\(short(value / 1e3)) us" }
        return value < 1e9 ? "\(short(value / 1e6)) ms" : "\(short(value / 1e9)) s"
    }

    static func bytes(_ count: UInt64) -> String {
        let value = Double(count)
        if value < 1e3 { return "\(count) B" }
        return value < 1e6 ? "\(short(value / 1e3)) KB" : "\(short(value / 1e6)) MB"
    }

    static func rate(_ perSecond: Double) -> String {
        perSecond < 1e6 ? "\(short(perSecond / 1e3)) k/s" : "\(short(perSecond / 1e6)) M/s"
    }

    static func ratio(_ value: UInt64, to other: UInt64) -> String {
        other == 0 ? "-" : short(Double(value) / Double(other))
    }

    /// A number that is not negative, with as many decimal places as three digits need.
    static func short(_ value: Double) -> String {
        fixed(value, places: value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0)
    }

    private static func fixed(_ value: Double, places: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<places { scale *= 10 }
        guard let scaled = Int64(exactly: (value * Double(scale)).rounded()) else { return "-" }
        guard places > 0 else { return String(scaled) }
        let fraction = String(scaled % scale)
        return "\(scaled / scale)." + String(repeating: "0", count: places - fraction.count)
            + fraction
    }
}
