import FirnValues

/// A distance on the surface of the earth, which is a sphere with a radius of 6,378.1 km.
///
///     let near = Distance.kilometers(5)
public struct Distance: Hashable, Comparable, Sendable {
    private static let kilometersPerRadian = 6_378.1
    private static let kilometersPerMile = 1.609_344

    /// The distance as an angle at the center of the earth, in radians.
    public let radians: Double

    private init?(_ radians: Double) {
        guard radians >= 0 else { return nil }
        self.radians = radians
    }

    /// Returns a distance in kilometers, or `nil` if it is negative or NaN.
    public static func kilometers(_ kilometers: Double) -> Distance? {
        Distance(kilometers / kilometersPerRadian)
    }

    /// Returns a distance in miles of 1.609344 km, or `nil` if it is negative or NaN.
    public static func miles(_ miles: Double) -> Distance? {
        kilometers(miles * kilometersPerMile)
    }

    /// Returns a distance as an angle at the center of the earth in degrees.
    ///
    /// The result is `nil` if the angle is negative or NaN.
    public static func degrees(_ degrees: Double) -> Distance? { Distance(degrees * .pi / 180) }

    /// Returns a distance as an angle at the center of the earth in radians.
    ///
    /// The result is `nil` if the angle is negative or NaN.
    public static func radians(_ radians: Double) -> Distance? { Distance(radians) }

    /// Returns the distance in kilometers.
    public func asKilometers() -> Double { radians * Distance.kilometersPerRadian }

    /// Returns the distance in miles of 1.609344 km.
    public func asMiles() -> Double { asKilometers() / Distance.kilometersPerMile }

    /// Returns the distance as an angle at the center of the earth in degrees.
    public func asDegrees() -> Double { radians * 180 / .pi }

    /// Returns a Boolean value that indicates whether the left distance is shorter.
    public static func < (left: Distance, right: Distance) -> Bool { left.radians < right.radians }
}
