package import FirnSyntax
import FirnValues

extension Canonical {
    /// Returns a region in query syntax.
    package static func region(_ region: GeoRegion) -> String {
        switch region {
        case .box(let low, let high): "geoBox(\(position(low)), \(position(high)))"
        case .circle(let circle):
            "geoCircle(\(position(circle.center)), \(literal(.double(circle.radiusInRadians))))"
        case .polygon(let polygon):
            "geoPolygon("
                + polygon.rings.map { "{" + $0.map(position).joined(separator: ", ") + "}" }
                .joined(separator: ", ") + ")"
        }
    }

    private static func position(_ position: GeoPosition) -> String {
        "[\(literal(.double(position.longitude))), \(literal(.double(position.latitude)))]"
    }
}
