/// A distance on the surface of the earth, which counts as a sphere with a radius of 6,378.1 km.
///
///     let near = Distance.kilometers(5)
public struct Distance: Hashable, Comparable, Sendable {
    private static let kilometersPerRadian = 6_378.1
    private static let kilometersPerMile = 1.609_344

    /// As an angle from the middle of the earth.
    public let radians: Double

    private init?(_ radians: Double) {
        guard radians >= 0 else { return nil }
        self.radians = radians
    }

    /// A distance in kilometers; `nil` if it is negative or no number.
    public static func kilometers(_ kilometers: Double) -> Distance? {
        Distance(kilometers / kilometersPerRadian)
    }

    /// A distance in miles of 1.609344 km; `nil` if it is negative or no number.
    public static func miles(_ miles: Double) -> Distance? {
        kilometers(miles * kilometersPerMile)
    }

    /// A distance as an angle from the middle of the earth in degrees; `nil` if it is negative or no
    /// number.
    public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }

    /// A distance as an angle from the middle of the earth; `nil` if it is negative or no number.
    public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

    /// In kilometers.
    public func asKilometers() -> Double { radians * Distance.kilometersPerRadian }

    /// In miles of 1.609344 km.
    public func asMiles() -> Double { asKilometers() / Distance.kilometersPerMile }

    /// As an angle from the middle of the earth in degrees.
    public func asDegrees() -> Double { radians * 180 / .pi }

    /// Whether the left distance is shorter.
    public static func < (left: Distance, right: Distance) -> Bool { left.radians < right.radians }
}
