// What drawing needs of a session.
#pragma once

#include "session/session.h"
#include "ui/graph/scene.h"

namespace nodewise::ui {

/// Structure and groups of a session's graph, with the session kept alive; takes a second for a hundred
/// thousand nodes.
std::shared_ptr<const SceneSource> sceneSourceOf(std::shared_ptr<Session> session,
                                                 const TextMeasure& measure);

} // namespace nodewise::ui
