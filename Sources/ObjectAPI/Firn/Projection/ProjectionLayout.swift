import FirnPlatform
import FirnValues

/// The projected properties of a class of projections, computed once per class.
final class ProjectionLayout: @unchecked Sendable {
    /// One property with ``Projected``.
    struct Property {
        let label: String
        let projected: any _ProjectedProperty
        /// The paths of the persisted properties that are shown.
        let origins: [String]
        /// The same as ``origins`` or, for a projected collection, the paths of its elements.
        let observedOrigins: [String]
    }

    /// The properties; the properties of base classes come first.
    ///
    /// Key paths are immutable, although their type is not sendable.
    let properties: [Property]

    private init(_ projection: AnyObject) {
        var properties: [Property] = []
        var mirror: Mirror? = Mirror(reflecting: projection)
        while let level = mirror {
            let own = level.children.compactMap { label, value -> Property? in
                guard let projected = value as? any _ProjectedProperty else { return nil }
                let name = String((label ?? "_").drop { $0 == "_" })
                let origins = projected._origins
                guard !origins.isEmpty else {
                    misuse(
                        "\(type(of: projection)).\(name) does not show a persisted property: the "
                            + "key path of @Projected must read one")
                }
                return Property(
                    label: name, projected: projected, origins: origins,
                    observedOrigins: projected._observedOrigins)
            }
            properties = own + properties
            mirror = level.superclassMirror
        }
        self.properties = properties
    }

    private static let known = Guarded<[ObjectIdentifier: ProjectionLayout]>([:])

    /// Returns the layout of the class of a projection.
    ///
    /// - Complexity: O(1) after the first call for the class
    static func of(_ projection: AnyObject) -> ProjectionLayout {
        let id = ObjectIdentifier(type(of: projection))
        if let layout = known.withLock({ $0[id] }) { return layout }
        let layout = ProjectionLayout(projection)
        known.withLock { $0[id] = layout }
        return layout
    }
}
