import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Binds conditions on regions of the earth: `path GEOWITHIN geoBox([lon, lat], [lon, lat])`.
extension Binder {
    func geoWithin(_ comparison: Comparison) throws(QueryError) -> BoundPredicate {
        guard comparison.options.isEmpty else {
            throw typeError("[c] and [d] are for texts", comparison.operatorRange)
        }
        let region = try region(comparison.right)
        let left = try side(comparison.left)
        guard let subject = subject(left), let objects = objects(subject),
            let location = GeoLocation(objects.target)
        else {
            throw typeError(
                "GEOWITHIN needs a link to places on its left, not \(describe(left.operand))",
                left.range,
                hint:
                    "a place has a String \"type\" that is \"Point\", and \"coordinates\", a list "
                    + "of Doubles: longitude, latitude")
        }
        guard objects.target.isEmbedded || !context.placesAreEmbedded else {
            throw typeError(
                "\(objects.target.name) is a top-level class, and only embedded objects are places",
                left.range, hint: "make it an EmbeddedObject")
        }
        let isWithin = BoundPredicate.isWithin(location, region)
        switch subject {
        case .many(let quantifier, _): return locations(quantifier, objects, isWithin)
        case .single:
            if subject.isSelf { return isWithin }
            guard let predicate = behind(objects, isWithin) else {
                throw unsupported(
                    "GEOWITHIN for one element of a collection", left.range, hint: "write ANY")
            }
            return predicate
        }
    }

    /// Returns the objects that a subject leads to, or `nil` if its values are not objects.
    private func objects(_ subject: Subject) -> ObjectPath? {
        switch subject {
        case .many(_, let path): return ObjectPath(path, in: context.schema)
        case .single(let computed):
            switch computed.expression {
            case .path(let path): return ObjectPath(path, in: context.schema)
            case .column(let column):
                let path = BoundPath(
                    root: classSchema, steps: [], terminal: .column(column), type: column.type,
                    name: column.canonicalName)
                return ObjectPath(path, in: context.schema)
            default: return nil
            }
        }
    }

    /// Counts matching objects like SUBQUERY, which is also the canonical form.
    private func locations(
        _ quantifier: Quantifier, _ objects: ObjectPath, _ isWithin: BoundPredicate
    ) -> BoundPredicate {
        let count = BoundExpression.subqueryCount(
            objects, quantifier == .all ? .not(isWithin) : isWithin)
        return BoundPredicate(
            .single(Computed(count)), .compare(quantifier == .any ? .greater : .equal, .int(0)))
    }

    /// Returns the condition on the object that single links lead to.
    private func behind(_ objects: ObjectPath, _ predicate: BoundPredicate) -> BoundPredicate? {
        var predicate = predicate
        for step in objects.path.steps.reversed() {
            guard case .link(let property, let target) = step else { return nil }
            predicate = .linkMatches(property, target, predicate, ifNil: false)
        }
        return predicate
    }

    // MARK: Regions

    private static let regions =
        "geoBox([lon, lat], [lon, lat]), geoCircle([lon, lat], radians) or "
        + "geoPolygon({[lon, lat], ...}, ...)"

    private func region(_ expression: Expression) throws(QueryError) -> GeoRegion {
        if case .call(let name, let arguments, let range) = expression {
            switch name.lowercased() {
            case "geobox": return try box(arguments, range)
            case "geocircle": return try circle(arguments, range)
            case "geopolygon": return try polygon(arguments, range)
            default: break
            }
        }
        switch expression {
        case .argument, .placeholder, .literal:
            if case .constant(.string(let text)) = try operand(expression) {
                return try region(ofArgument: text, expression.range)
            }
        default: break
        }
        throw typeError("GEOWITHIN needs a region", expression.range, hint: "write \(Self.regions)")
    }

    /// Parses a region argument, which has the same form as in a query text.
    private func region(
        ofArgument text: String, _ range: SourceRange
    ) throws(QueryError) -> GeoRegion {
        do {
            var parser = try Parser(text, entry: .predicate)
            let expression = try parser.parseExpression()
            if parser.peek().kind == .end, case .call = expression { return try region(expression) }
        } catch {
            throw typeError("the region: \(error.message)", range, hint: error.hint)
        }
        throw typeError(
            "\(Canonical.literal(.string(text), scalarsMax: 40)) is not a region", range,
            hint: "write \(Self.regions)")
    }

    /// Binds a box.
    ///
    /// The antimeridian may lie between its corners.
    private func box(
        _ arguments: [Expression], _ range: SourceRange
    ) throws(QueryError) -> GeoRegion {
        guard arguments.count == 2 else {
            throw typeError(
                "geoBox takes two corners", range,
                hint: "the lower left and the upper right one: geoBox([lon, lat], [lon, lat])")
        }
        let low = try position(arguments[0])
        let high = try position(arguments[1])
        guard low.latitude <= high.latitude else {
            throw typeError(
                "the lower left corner of the box lies north of the upper right one", range,
                hint: "the longitude comes first")
        }
        return .box(bottomLeft: low, topRight: high)
    }

    private func circle(
        _ arguments: [Expression], _ range: SourceRange
    ) throws(QueryError) -> GeoRegion {
        guard arguments.count == 2 else {
            throw typeError("geoCircle takes a center and a radius in radians", range)
        }
        let center = try position(arguments[0])
        guard let radius = try number(try operand(arguments[1]), arguments[1].range),
            let circle = GeoRegion.Circle(center: center, radiusInRadians: radius)
        else {
            throw typeError(
                "the radius of a circle is a number of radians, at least 0", arguments[1].range,
                hint: "a kilometer on the earth is about 0.000157")
        }
        return .circle(circle)
    }

    private func polygon(
        _ arguments: [Expression], _ range: SourceRange
    ) throws(QueryError) -> GeoRegion {
        var rings: [[GeoPosition]] = []
        var cornerCount = 0
        for argument in arguments {
            guard case .list(let corners, _) = argument else {
                throw typeError(
                    "a ring is a list of places", argument.range,
                    hint: "such as {[0, 0], [1, 0], [1, 1], [0, 0]}")
            }
            cornerCount += corners.count
            guard cornerCount <= QueryLimits.polygonCornersMax else {
                throw limitError(
                    "the polygon has more than \(QueryLimits.polygonCornersMax) corners", range)
            }
            var ring: [GeoPosition] = []
            for corner in corners { ring.append(try position(corner)) }
            rings.append(ring)
        }
        guard let outer = rings.first else {
            throw typeError(
                "geoPolygon takes a ring of places", range,
                hint: "such as {[0, 0], [1, 0], [1, 1], [0, 0]}")
        }
        do {
            return .polygon(
                try GeoRegion.Polygon(outerRing: outer, holes: Array(rings.dropFirst())))
        } catch {
            throw typeError("the polygon: \(error)", range)
        }
    }

    /// Binds `[longitude, latitude]` in degrees, optionally with an altitude.
    private func position(_ expression: Expression) throws(QueryError) -> GeoPosition {
        guard case .list(let elements) = try operand(expression), (2...3).contains(elements.count)
        else {
            throw typeError(
                "a place is a list of its longitude and its latitude", expression.range,
                hint: "such as [2.35, 48.86]")
        }
        var numbers: [Double] = []
        for element in elements {
            guard let number = try number(element.operand, element.range) else {
                throw typeError("a coordinate is a number", element.range)
            }
            numbers.append(number)
        }
        guard let position = GeoPosition(longitude: numbers[0], latitude: numbers[1]) else {
            throw typeError(
                "there is no place at longitude \(numbers[0]), latitude \(numbers[1])",
                expression.range,
                hint: "the longitude comes first, -180 to 180; the latitude is -90 to 90")
        }
        return position
    }

    private func number(
        _ operand: Operand, _ range: SourceRange
    ) throws(QueryError) -> Double? {
        switch try value(operand, range) {
        case .int(let number): Double(number)
        case .double(let number): number
        case .float(let number): Double(number)
        case .decimal128(let number): number.nearestDouble
        default: nil
        }
    }
}
