import FirnQuery

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
    /// Whether a place lies in a region.
    ///
    ///     shops.where { $0.location.geoWithin(GeoCircle(center: center, radius: near)) }
    ///
    /// A place is an embedded object with a String `type` that is "Point", and a `List<Double>` named
    /// `coordinates` of its longitude and latitude (see ``GeoPoint``). Nothing lies nowhere: an object
    /// without a place is in no region.
    ///
    /// - Parameter region: a ``GeoBox``, ``GeoCircle`` or ``GeoPolygon``.
    public func geoWithin<Region: Geospatial>(_ region: Region) -> Query<Bool> {
        comparison(.geoWithin, .value(region))
    }
}
