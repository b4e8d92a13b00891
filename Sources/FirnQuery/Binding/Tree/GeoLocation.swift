package import FirnEngine
import FirnValues

/// What makes the objects of a class places.
///
/// A String `type` that is "Point", and a list of Doubles `coordinates` with the longitude, the
/// latitude and, if one wants, the altitude, as GeoJSON has it (RFC 7946, section 3.1.2). Objects of
/// another `type` or with fewer coordinates are no places.
package struct GeoLocation: Hashable, Sendable {
    package static let pointType = "Point"

    /// The class of the objects.
    private let root: ClassSchema
    package let type: PropertySchema
    package let coordinates: PropertySchema

    /// Nil for a class whose objects cannot be places.
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

    /// The longitude, 0, or the latitude, 1.
    package func coordinate(_ index: Int) -> BoundExpression {
        let terminal = BoundPath.Terminal.element(coordinates, .index(index))
        return .path(
            BoundPath(
                root: root, steps: [], terminal: terminal,
                type: PropertyType(.double, isOptional: true),
                name: "\(Canonical.name(coordinates.name))[\(index)]"))
    }
}
