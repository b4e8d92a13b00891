package import FirnEngine
import FirnSyntax
import FirnValues

/// The properties that identify the objects of a class as locations.
///
/// They are a String `type` with the value "Point", and a list of Doubles `coordinates` with the
/// longitude, the latitude and optionally the altitude, as in GeoJSON (RFC 7946, section 3.1.2).
/// Objects with another `type` or with fewer coordinates are not locations.
package struct GeoLocation: Hashable, Sendable {
    package static let pointType = "Point"

    /// The class of the objects.
    private let root: ClassSchema
    package let type: PropertySchema
    package let coordinates: PropertySchema

    /// Returns `nil` for a class whose objects cannot be locations.
    init?(_ root: ClassSchema) {
        guard let type = root.propertyNamed("type"),
            let coordinates = root.propertyNamed("coordinates"),
            type.type.base == .string, type.type.container == .single,
            coordinates.type.base == .double, coordinates.type.container == .list
        else { return nil }
        self.root = root
        self.type = type
        self.coordinates = coordinates
    }

    package static func == (left: GeoLocation, right: GeoLocation) -> Bool {
        left.root == right.root
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(root.id) }

    package var typeValue: BoundExpression { .column(.property(type)) }

    /// Returns the longitude for index 0, and the latitude for index 1.
    package func coordinate(_ index: Int) -> BoundExpression {
        let terminal = BoundPath.Terminal.element(coordinates, .index(index))
        return .path(
            BoundPath(
                root: root, steps: [], terminal: terminal,
                type: PropertyType(.double, isOptional: true),
                name: "\(Canonical.name(coordinates.name))[\(index)]"))
    }
}
